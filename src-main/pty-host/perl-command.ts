/**
 * Perl that ends a process's own code: it takes the terminal on STDIN for its output too, and becomes the command. Uses
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
