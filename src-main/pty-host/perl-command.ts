/**
 * The last step of a Perl process before it becomes the command: uses the terminal on STDIN for output as well. Reads
 * $TCSETS, $settings, $folder, $count and @words (the command, then its environment).
 */
export const becomeCommand = String.raw`  open STDOUT, '>&STDIN';
  open STDERR, '>&STDIN';
  ioctl STDIN, $TCSETS, $settings;
  my @command = splice @words, 0, $count;
  %ENV = map { split /=/, $_, 2 } @words;
  my $missed = $folder;
  if (chdir $folder) {
    $missed = $command[0];
    exec { $command[0] } @command;
  }
  print STDERR "$missed: $!\n";
  exit 1;`

/**
 * For a copy that waits for its command: goes through the steps of becoming it, without effect. A copy shares memory with
 * the process it was made from until it uses it for the first time; to have done that in advance makes a start a fifth
 * faster.
 */
export const practise = String.raw`sub practise {
  my @words = split /\0/, join("\0", map { "NAME$_=" . 'value' x 10 } 1 .. 100), -1;
  {
    local %ENV = map { split /=/, $_, 2 } @words;
    # Fails: it is a folder.
    exec { '/' } '/', '-c';
  }
  open my $file, '+<', '/dev/null';
  open my $copy, '>&', $file;
  ioctl $file, $TCSETS, $settings;
  chdir '/';
}
`
