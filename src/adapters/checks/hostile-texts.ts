/** Texts that a buyer, or somebody in a buyer's place, may write into every free field. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  markup: '<b onclick="x()">&amp; & <![CDATA[ ]]> </customer></adf> <!-- -->',
  quotes: `"double" 'single' \`back\` \\ / "],"x":[{"`,
  'line breaks': 'one\r\nBcc: everybody@evil.example\r\n\r\ntwo\nthree\rfour\u2028five\u2029six',
  'control characters': 'a\u0000b\u0007c\u000bd\u001be\u007ff\u0085g\ufffeh\uffffi',
  'letters beyond ASCII': '𝒵oë 🚗👨‍👩‍👧 日本語 العربية ﷽ e\u0301\u202eabc\u202c \ufeff',
  'half characters': 'a\ud83d b\ude97 c',
  'template places': '{lead_id} {{x}} ${env:PATH} ${file:/etc/passwd} %s %n <%= x %> $& $1 #{x}',
  'path tricks': '../../../../etc/passwd ..\\..\\windows CON.txt /etc C:\\x file:///etc/passwd',
  'formula starts': '=HYPERLINK("http://evil.example","x") +1 -1 @SUM(A1)',
  'query signs': "' OR 1=1; -- &a=b?c#d%00%0d%0a",
  'names of objects': '__proto__',
  blanks: ' \t ',
  'one character': '0',
  'a long text': 'Wörter und Zeichen & mehr. '.repeat(150).slice(0, 4000),
  'a long word': 'x'.repeat(4000),
};
