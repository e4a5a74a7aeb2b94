/**
 * The last step of a Perl process before it becomes the command: uses the terminal on STDIN for output as well. Reads
 * $TCSETS, $settings, $folder, $count and @words (the command, then its environment).
 */
export const becomeCommand = String.raw`  open STDOUT, '>&STDIN';
  open STDERR, '>&STDIN';
  ioctl STDIN, $TCSETS, $settings;
  my @command = splice @words, 0, $count;
  %ENV = map { split /=/, $_, 2 } @words;
  chdir $folder and exec { $command[0] } @command;
  print STDERR "$command[0]: $!\n";
  exit 1;`
