import { becomeCommand, practise } from './perl-command'

/** What the system shows as its name. */
export const FORK_SERVER_NAME = 'deckhand-start'

/**
 * The program of the fork server. A request is its length in four bytes and then, separated by NUL: the terminal, an
 * id, the mark for the program, the mark that the next one will probably have, the folder, the number of arguments, the
 * arguments, the environment. The reply is `started <id> <pid>`, with pid 0 if no more processes can be created, and
 * later `ended <pid> <status>`, with the status of wait(2). It uses no modules, since loaded code would have to be
 * copied with each fork.
 *
 * A copy of this process waits in the control group of the next command, so that the slow steps are done in advance.
 *
 * Each program starts inside its own control group, if groups can be created. Orphans become children of this process,
 * so that they can be found even without groups.
 *
 * No end is missed: SIGCHLD is blocked except inside `ppoll`, which unblocks it and waits atomically, and after every
 * return all ended children are reaped. A handler that writes to a pipe would not work: Perl delays handlers until it
 * is between two operations, so one that is due just before a blocking call would wait as long as that call.
 */
export const forkServerScript = String.raw`
use strict;
# As numbers: Perl passes a string to the kernel as its address.
my $groups = shift;
my ($setsid, $ppoll, $sigprocmask, $prlimit, $prctl, $clone3, $locks) = map { $_ + 0 } @ARGV;
$0 = '${FORK_SERVER_NAME}';

# The settings of a terminal as node-pty makes them: iflag, oflag, cflag, lflag, line, characters.
my $settings = pack 'L4 C C19', 0x6d02, 0x5, 0x4bf, 0x8a3b, 0,
  3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 255, 18, 15, 23, 22, 255, 0, 0;
my ($TCSETS, $WNOHANG, $POLLIN, $SIG_BLOCK, $SIG_SETMASK, $SIGCHLD) = (0x5402, 1, 1, 0, 2, 17);
my ($PR_SET_CHILD_SUBREAPER, $CLONE_INTO_CGROUP) = (36, 0x200000000);
my ($no_signal, $child_signal) = map { pack 'L2', $_, 0 } 0, 1 << 16;

# The hard limit, which may not be raised.
my $limits = pack 'QQ', 0, 0;
syscall $prlimit, 0, $locks, 0, $limits;
my (undef, $hardest) = unpack 'QQ', $limits;

# The group of each program that runs, and groups in which something still ran after its program had ended.
my (%group_of, @left);
# The copy that waits for a command: its mark, its pid, and where the command is written to.
my %spare;

sub collect {
  my $ended = 0;
  while ((my $pid = waitpid -1, $WNOHANG) > 0) {
    syswrite STDOUT, "ended $pid $?\n";
    push @left, delete $group_of{$pid} if $group_of{$pid};
    %spare = () if %spare and $spare{pid} == $pid;
    $ended = 1;
  }
  @left = grep { !rmdir and -d } @left if $ended;
}

# Like fork, but the copy starts in a control group. If that is not possible, it is a plain fork.
sub copy_into {
  my ($group) = @_;
  mkdir $group;
  if (sysopen my $folder, $group, 0) {
    my $request = pack 'Q11', $CLONE_INTO_CGROUP, 0, 0, 0, $SIGCHLD, 0, 0, 0, 0, 0, fileno $folder;
    my $pid = syscall $clone3, $request, length $request;
    $group_of{$pid} = $group if $pid > 0;
    return $pid if $pid >= 0;
  }
  rmdir $group;
  return fork;
}

sub copy_for { $groups eq '' ? fork : copy_into($groups . $_[0]) }

${practise}
sub prepare {
  my ($mark) = @_;
  pipe my $in, my $out or return;
  my $pid = copy_for($mark);
  return if !defined $pid;
  if ($pid == 0) {
    close $out;
    practise();
    my $command = '';
    1 while sysread $in, $command, 65536, length $command;
    exit 0 if $command eq '';
    become(split /\0/, $command, -1);
  }
  %spare = (mark => $mark, pid => $pid, to => $out);
}

# Lets the waiting copy become the program. Returns nothing if there is none, or one for another program.
sub hand_over {
  my ($mark, $command) = @_;
  return if !%spare;
  my %taken = %spare;
  %spare = ();
  local $SIG{PIPE} = 'IGNORE';
  # No more than a pipe can hold, so that this process never waits for the other.
  my $fits = $taken{mark} eq $mark && length $command <= 65536;
  return $taken{pid} if $fits and syswrite $taken{to}, $command;
  kill 9, $taken{pid};
  return;
}

sub become {
  my ($path, $mark, $folder, $count, @words) = @_;
  syscall $setsid;
  my $limit = pack 'QQ', $mark, $hardest;
  syscall $prlimit, 0, $locks, $limit, 0;
  syscall $sigprocmask, $SIG_SETMASK, $no_signal, 0, 8;
  # The first terminal that the leader of a session opens is the one that controls it.
  open STDIN, '+<', $path or exit 1;
${becomeCommand}
}

# Closes terminals and files of the app that were inherited unintentionally, and that no program should keep open.
opendir my $listing, '/proc/self/fd' or exit 1;
my @inherited = grep { /^\d+$/ and $_ > 2 } readdir $listing;
closedir $listing;
for (@inherited) {
  open my $file, '<&=', $_ or next;
  close $file;
}

syscall $prctl, $PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0;
# It does nothing, but a signal without a handler would not interrupt the wait.
$SIG{CHLD} = sub {};
syscall $sigprocmask, $SIG_BLOCK, $child_signal, 0, 8;
syswrite STDOUT, "ready\n";
my ($read, $next) = ('', '');
while (1) {
  my $polled = pack 'l s s', 0, $POLLIN, 0;
  # A copy is made when nothing has happened for 5 ms: while a command starts, or the app deals with its end, it would
  # take time from them. The limit is a new value each time, since the kernel writes into it what was left.
  my $limit = $next eq '' ? 0 : pack 'q2', 0, 5_000_000;
  my $event = syscall $ppoll, $polled, 1, $limit, $no_signal, 8;
  collect();
  if ($next ne '' and $event == 0) {
    prepare($next);
    $next = '';
  }
  next if !(unpack 'l s s', $polled)[2];
  last if !sysread STDIN, $read, 65536, length $read;
  while (length $read >= 4 and length $read >= 4 + (my $length = unpack 'N', $read)) {
    (my $path, my $id, my $mark, $next, my @rest) = split /\0/, substr($read, 4, $length), -1;
    substr($read, 0, 4 + $length) = '';
    my $pid = hand_over($mark, join "\0", $path, $mark, @rest) || copy_for($mark);
    become($path, $mark, @rest) if defined $pid and $pid == 0;
    syswrite STDOUT, "started $id " . ($pid || 0) . "\n";
  }
}
if (%spare) {
  kill 9, $spare{pid};
  waitpid $spare{pid}, 0;
  rmdir $group_of{$spare{pid}} if $group_of{$spare{pid}};
}
`
