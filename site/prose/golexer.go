package prose

import "github.com/alecthomas/chroma/v2"

// goLexer returns the lexer of Go.
func goLexer() *chroma.RegexLexer {
	return chroma.MustNewLexer(&chroma.Config{Name: "Go", Aliases: []string{"go", "golang"}, EnsureNL: false}, goRules)
}

// goRules are the tokens of the language specification, the longer forms before the shorter ones.
func goRules() chroma.Rules {
	const digits = `[0-9](?:_?[0-9])*`
	return chroma.Rules{"root": {
		{Pattern: `\s+`, Type: chroma.TextWhitespace},
		{Pattern: `//[^\n]*`, Type: chroma.CommentSingle},
		{Pattern: `/\*[^*]*\*+(?:[^/*][^*]*\*+)*/`, Type: chroma.CommentMultiline},
		{Pattern: "`[^`]*`", Type: chroma.StringBacktick},
		{Pattern: `"(?:\\.|[^"\\\n])*"`, Type: chroma.StringDouble},
		{Pattern: `'(?:\\[^\n]|[^'\\\n])[^'\n]*'`, Type: chroma.StringChar},
		{Pattern: `0[xX][0-9a-fA-F_.]+(?:[pP][+-]?[0-9]+)?i?`, Type: chroma.NumberHex},
		{Pattern: `0[bB][01_]+i?`, Type: chroma.NumberBin},
		{Pattern: `(?:` + digits + `)?\.` + digits + `(?:[eE][+-]?[0-9]+)?i?|` + digits + `(?:\.(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)i?`, Type: chroma.NumberFloat},
		{Pattern: digits + `i?`, Type: chroma.NumberInteger},
		{Pattern: chroma.Words(``, `\b`, "package", "import"), Type: chroma.KeywordNamespace},
		{Pattern: chroma.Words(``, `\b`, "chan", "const", "func", "interface", "map", "struct", "type", "var"), Type: chroma.KeywordDeclaration},
		{Pattern: chroma.Words(``, `\b`, "break", "case", "continue", "default", "defer", "else", "fallthrough", "for", "go", "goto", "if", "range", "return", "select", "switch"), Type: chroma.Keyword},
		{Pattern: chroma.Words(``, `\b`, "true", "false", "iota", "nil"), Type: chroma.KeywordConstant},
		{Pattern: chroma.Words(``, `\b`, "any", "bool", "byte", "comparable", "complex128", "complex64", "error", "float32", "float64", "int", "int16", "int32", "int64", "int8", "rune", "string", "uint", "uint16", "uint32", "uint64", "uint8", "uintptr"), Type: chroma.KeywordType},
		{Pattern: `\p{L}[\p{L}\p{Nd}_]*(?=\()`, Type: chroma.NameFunction},
		{Pattern: `[\p{L}_][\p{L}\p{Nd}_]*`, Type: chroma.NameOther},
		{Pattern: `[-+*/%&|^<>=!:~]+`, Type: chroma.Operator},
		{Pattern: `.`, Type: chroma.Punctuation},
	}}
}
