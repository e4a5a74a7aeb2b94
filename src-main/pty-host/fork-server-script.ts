/**
 * What the fork server runs. A request is its length in four bytes and, parted by NUL: the terminal, an id, the folder, how
 * many words the command has, the words, the environment. It is answered by `started <id> <pid>`, with 0 for a pid when
 * there can be no more processes, and later by `ended <pid> <status>`, where the status is that of wait(2). Modules are not
 * used: what is loaded would have to be copied with each fork.
 */
export const forkServerScript = String.raw`
use strict;
my ($setsid) = @ARGV;
$0 = 'deckhand-start';

# The settings of a terminal as node-pty makes them: iflag, oflag, cflag, lflag, line, characters.
my $settings = pack 'L4 C C19', 0x6d02, 0x5, 0x4bf, 0x8a3b, 0,
  3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 255, 18, 15, 23, 22, 255, 0, 0;
my ($TCSETS, $WNOHANG, $EINTR) = (0x5402, 1, 4);

sub collect {
  while ((my $pid = waitpid -1, $WNOHANG) > 0) { syswrite STDOUT, "ended $pid $?\n" }
}

sub become {
  my ($path, $folder, $count, @words) = @_;
  syscall $setsid;
  # The first terminal that the leader of a session opens is the one that controls it.
  open STDIN, '+<', $path or exit 1;
  open STDOUT, '>&STDIN';
  open STDERR, '>&STDIN';
  ioctl STDIN, $TCSETS, $settings;
  my @command = splice @words, 0, $count;
  %ENV = map { split /=/, $_, 2 } @words;
  chdir $folder and exec { $command[0] } @command;
  print STDERR "$command[0]: $!\n";
  exit 1;
}

# Terminals and files of the app that it did not mean to hand on, and that no program should hold open.
opendir my $listing, '/proc/self/fd' or exit 1;
my @inherited = grep { /^\d+$/ and $_ > 2 } readdir $listing;
closedir $listing;
for (@inherited) {
  open my $file, '<&=', $_ or next;
  close $file;
}

$SIG{CHLD} = \&collect;
syswrite STDOUT, "ready\n";
my $read = '';
while (1) {
  my $count = sysread STDIN, $read, 65536, length $read;
  next if !defined $count and $! == $EINTR;
  last if !$count;
  while (length $read >= 4 and length $read >= 4 + (my $length = unpack 'N', $read)) {
    my ($path, $id, @rest) = split /\0/, substr($read, 4, $length), -1;
    substr($read, 0, 4 + $length) = '';
    # The end of a program is not told before its beginning.
    $SIG{CHLD} = 'DEFAULT';
    my $pid = fork;
    become($path, @rest) if defined $pid and $pid == 0;
    syswrite STDOUT, "started $id " . ($pid || 0) . "\n";
    $SIG{CHLD} = \&collect;
    collect();
  }
}
`
