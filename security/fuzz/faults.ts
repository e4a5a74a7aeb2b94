import { type GateUnderTest, realGate } from './fuzz'

/** Faults that gates have had, put into ours: the fuzzer has to notice every one of them. */
export const faults: Record<string, GateUnderTest> = {
  'overlooks where output goes': (command, ground) =>
    realGate(command.replace(/\d?(?:&>|>>|>\||>)\s*(?:"[^"]*"|\S+)/g, ''), ground),
  'looks at the first of several commands only': (command, ground) =>
    realGate(command.split(/&&|\|\||[;|&\n]/)[0] ?? '', ground),
  'takes substitutions for words': (command, ground) =>
    realGate(command.replace(/"?\$\([^()]*\)"?|`[^`]*`|<\([^()]*\)|>\([^()]*\)|\$\{[^}]*\)?\}/g, 'word'), ground),
  'overlooks options': (command, ground) => realGate(command.replace(/ --?[a-zA-Z][\w=.-]*/g, ''), ground),
  'knows programs by their name alone': (command, ground) =>
    /^(?:ls|cat|grep|find|sort|sed|awk|echo|git|tee|env|xargs)\b/.test(command)
      ? { verdict: 'allow' }
      : realGate(command, ground),
}
