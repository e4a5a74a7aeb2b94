import { becomeCommand, practise } from './perl-command'

/**
 * Two Perl programs that start commands in a cage: one runs outside it, one is the first process inside it. A command
 * needs its terminal, which was opened outside and has no path inside, and the app needs the pid that the command has
 * outside. Both travel over a socket between the two programs: the terminal as a descriptor (SCM_RIGHTS), the pid in
 * the credentials that the kernel adds to each message (SO_PASSCRED).
 *
 * The outer program uses the requests and replies of the fork server. A request of length 0 means that no more will
 * follow: it ends when the last command has ended. When its input ends, it ends at once, together with the cage and
 * everything in it.
 *
 * They use no modules, since loaded code would have to be copied with each fork.
 */

/** Kernel structures that both need. A buffer that the kernel writes into must not share its memory with others. */
const common = `
use strict;
my ($SOL_SOCKET, $SO_PASSCRED, $SCM_RIGHTS, $SCM_CREDENTIALS, $CLOSE_ON_EXEC) = (1, 16, 1, 2, 0x40000000);

sub room { my $bytes = ''; vec($bytes, $_[0] - 1, 8) = 0; return $bytes }

sub fill {
  my ($from, $length) = @_;
  my $bytes = '';
  while (length $bytes < $length) {
    my $count = sysread $from, $bytes, $length - length $bytes, length $bytes;
    next if !defined $count and $! == 4;
    return if !$count;
  }
  return $bytes;
}

sub pour {
  my ($to, $bytes) = @_;
  my $done = 0;
  while ($done < length $bytes) {
    my $count = syswrite $to, $bytes, length($bytes) - $done, $done;
    next if !defined $count and $! == 4;
    return if !$count;
    $done += $count;
  }
  return 1;
}

# The received bytes, and what the kernel added to them: level, kind and content.
sub receive {
  my ($recvmsg, $from, $length, $flags) = @_;
  my $data = room($length);
  my $control = room(64);
  my $vector = pack 'P Q', $data, $length;
  my $message = pack 'Q L x4 P Q P Q l x4', 0, 0, $vector, 1, $control, 64, 0;
  my $count = syscall $recvmsg, $from, $message, $flags;
  return ($count) if $count <= 0;
  my (undef, undef, undef, undef, undef, $added) = unpack 'Q L x4 Q Q Q Q', $message;
  my ($size, $level, $kind) = $added >= 16 ? unpack 'Q l l', $control : (16, 0, 0);
  return ($count, substr($data, 0, $count), $kind, substr $control, 16, $size - 16);
}
`

/** Arguments: the numbers of sendmsg and recvmsg, then the argv that starts the cage with the inner program in it. */
export const outerStarterScript = String.raw`${common}
my ($sendmsg, $recvmsg) = map { $_ + 0 } splice @ARGV, 0, 2;
$0 = 'deckhand-cage';
$SIG{PIPE} = 'IGNORE';
socketpair my $near, my $far, 1, 1, 0 or exit 1;
setsockopt $near, $SOL_SOCKET, $SO_PASSCRED, 1 or exit 1;

my $cage = fork;
exit 1 if !defined $cage;
if ($cage == 0) {
  # Closes terminals and files of the app that were inherited unintentionally.
  opendir my $listing, '/proc/self/fd' or exit 1;
  my @inherited = grep { /^\d+$/ and $_ > 2 and $_ != fileno $far } readdir $listing;
  closedir $listing;
  for (@inherited) {
    open my $file, '<&=', $_ or next;
    close $file;
  }
  open STDIN, '+<&', $far or exit 1;
  open STDOUT, '>', '/dev/null';
  exec { $ARGV[0] } @ARGV;
  exit 1;
}
close $far;

my ($read, $retired, $waiting, %outside, %half) = ('', 0, 0);

sub hand_on {
  my ($path, $body) = @_;
  my $terminal;
  # Opened without becoming the controlling terminal of this program.
  if (!sysopen $terminal, $path, 0402) {
    my ($id) = split /\0/, $body;
    syswrite STDOUT, "started $id 0\n";
    return;
  }
  my $request = pack 'N/a*', $body;
  my $control = pack 'Q l l l x4', 20, $SOL_SOCKET, $SCM_RIGHTS, fileno $terminal;
  my $vector = pack 'P Q', $request, length $request;
  my $message = pack 'Q L x4 P Q P Q l x4', 0, 0, $vector, 1, $control, 24, 0;
  # In one piece, so that the inner program wakes up once; a long one continues as soon as there is room.
  my $sent = syscall $sendmsg, fileno $near, $message, 0;
  exit 1 if $sent <= 0 or !pour($near, substr $request, $sent);
  $waiting++;
}

sub report {
  my ($line, $sender) = @_;
  my ($word, $first, $second) = split / /, $line;
  if ($word eq 'ready') { syswrite STDOUT, "ready\n" }
  if ($word eq 'started') {
    $waiting--;
    $outside{$second} = $sender if $second;
    syswrite STDOUT, "started $first " . ($second ? $sender : 0) . "\n";
  }
  if ($word eq 'ended' and my $pid = delete $outside{$first}) { syswrite STDOUT, "ended $pid $second\n" }
}

while (1) {
  exit 0 if $retired and !$waiting and !%outside;
  my $bits = '';
  vec($bits, 0, 1) = 1 if !$retired;
  vec($bits, fileno $near, 1) = 1;
  next if select($bits, undef, undef, undef) <= 0;
  if (vec $bits, fileno $near, 1) {
    my ($count, $data, $kind, $content) = receive($recvmsg, fileno $near, 4096, 0);
    exit 0 if $count == 0 or $count < 0 and !$! == 4;
    if ($count > 0 and $kind == $SCM_CREDENTIALS) {
      my ($sender) = unpack 'l', $content;
      $half{$sender} .= $data;
      report($1, $sender) while $half{$sender} =~ s/^([^\n]*)\n//;
      delete $half{$sender} if $half{$sender} eq '';
    }
  }
  if (!$retired and vec $bits, 0, 1) {
    exit 0 if !sysread STDIN, $read, 65536, length $read;
    while (length $read >= 4 and length $read >= 4 + (my $length = unpack 'N', $read)) {
      my ($path, $body) = split /\0/, substr($read, 4, $length), 2;
      substr($read, 0, 4 + $length) = '';
      if ($length) { hand_on($path, $body) } else { $retired = 1 }
    }
  }
}
`

/** Arguments: the numbers of setsid, ppoll, rt_sigprocmask, prlimit64, the limit for marks, recvmsg and prctl. */
export const innerStarterScript = String.raw`${common}
my ($setsid, $ppoll, $sigprocmask, $prlimit, $locks, $recvmsg, $prctl) = map { $_ + 0 } @ARGV;
$0 = 'deckhand-start';
# What runs in the cage may neither read the memory of this process nor open its descriptors.
my ($PR_SET_DUMPABLE) = (4);
syscall $prctl, $PR_SET_DUMPABLE, 0, 0, 0, 0;

# The settings of a terminal as node-pty makes them: iflag, oflag, cflag, lflag, line, characters.
my $settings = pack 'L4 C C19', 0x6d02, 0x5, 0x4bf, 0x8a3b, 0,
  3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 255, 18, 15, 23, 22, 255, 0, 0;
my ($TCSETS, $TIOCSCTTY, $WNOHANG, $WUNTRACED, $POLLIN, $SIG_BLOCK, $SIG_SETMASK) = (0x5402, 0x540e, 1, 2, 1, 0, 2);
my ($no_signal, $child_signal) = map { pack 'L2', $_, 0 } 0, 1 << 16;
my $limits = pack 'QQ', 0, 0;
syscall $prlimit, 0, $locks, 0, $limits;
my (undef, $hardest) = unpack 'QQ', $limits;

open my $line, '+<&', 0 or exit 1;
open STDIN, '<', '/dev/null';
my $socket = fileno $line;

sub become {
  my ($terminal, $id, $mark, undef, $folder, $count, @words) = @_;
  syscall $setsid;
  my $limit = pack 'QQ', $mark, $hardest;
  syscall $prlimit, 0, $locks, $limit, 0;
  syscall $sigprocmask, $SIG_SETMASK, $no_signal, 0, 8;
  # Sent by the new process, so that the kernel adds its pid.
  syswrite $line, "started $id $$\n";
  close $line;
  open STDIN, '+<&', $terminal or exit 1;
  ioctl STDIN, $TIOCSCTTY, 0;
${becomeCommand}
}

${practise}
# The next request; nothing if there are no more.
sub request {
  # The kernel ends a message before the next one that has a descriptor.
  my ($count, $body, $kind, $content) = receive($recvmsg, $socket, 32768, $CLOSE_ON_EXEC);
  return if $count < 4 or $kind != $SCM_RIGHTS;
  open my $terminal, '+<&=', unpack 'l', $content or return;
  my $left = unpack('N', $body) + 4 - $count;
  my $rest = $left > 0 ? fill($line, $left) : '';
  return defined $rest ? ($terminal, split /\0/, substr($body, 4) . $rest, -1) : ();
}

$SIG{CHLD} = sub {};
syscall $sigprocmask, $SIG_BLOCK, $child_signal, 0, 8;
syswrite $line, "ready\n";
# A copy of this process waits for the next request and becomes the command, so that no time is lost by copying then. It
# sends a byte when it has a request; then the next copy is made.
my $no_more = 3;
while (1) {
  pipe my $told, my $tell or exit 1;
  my $spare = fork;
  if (!defined $spare) {
    my (undef, $id) = request() or exit 0;
    syswrite $line, "started $id 0\n";
    next;
  }
  if ($spare == 0) {
    close $told;
    practise();
    my @request = request() or exit $no_more;
    syswrite $tell, '.';
    become(@request);
  }
  close $tell;
  my ($busy, $status);
  while (!$busy) {
    my $polled = pack 'l s s', fileno $told, $POLLIN, 0;
    syscall $ppoll, $polled, 1, 0, $no_signal, 8;
    my $ready = (unpack 'l s s', $polled)[2];
    $busy = sysread $told, my $byte, 1 if $ready;
    while ((my $pid = waitpid -1, $WNOHANG | $WUNTRACED) > 0) {
      # Stopped, not ended: a command may do that to itself, but not to the next one.
      if ($? == 0 and -e "/proc/$pid") {
        kill 'CONT', $pid if $pid == $spare and !$busy;
        next;
      }
      if ($pid == $spare) { $status = $? } else { syswrite $line, "ended $pid $?\n" }
    }
    next if $busy or !$ready;
    # It ended without a request: there are no more, or a command has killed it.
    $status = $? if !defined $status and waitpid($spare, 0) == $spare;
    exit 0 if !defined $status or $status >> 8 == $no_more;
    last;
  }
  syswrite $line, "ended $spare $status\n" if $busy and defined $status;
}
`
