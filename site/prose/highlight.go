package prose

import (
	"embed"
	"html"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
)

// This file marks the parts of source code with CSS classes: keywords, strings, comments. It reads nothing but the
// clock, to give up on code that takes too long.
//
// Rules:
//
//   - A language that is not known, and code that is too long, is returned as plain text. The text of the code never
//     changes.
//   - The classes are those of Pygments, which other tools have style sheets for.
//   - Nothing is compiled when the program starts: the lexers are read at the first call.
//
// Decisions:
//
// 2026-11-26: the package lexers of chroma v2.27.0 is not imported, because it reads all of its 300 languages whenever the program
// starts, which takes 6 ms. Those that specs contain are copied by vendor.sh and read when they are needed; Go, whose
// lexer has no file there, has one of our own.

//go:embed lexers/*.xml
var files embed.FS

// Code longer than these is not marked: it costs more than its colours are worth.
const (
	maxBytes = 64 << 10
	maxLine  = 2000
	maxTime  = 2 * time.Second // some expressions take very long for code that was written to that end
)

// lexers returns all lexers by their names and aliases.
var lexers = sync.OnceValue(func() *chroma.LexerRegistry {
	all := chroma.NewLexerRegistry()
	names, err := fs.Glob(files, "lexers/*.xml")
	for _, name := range names {
		var lexer *chroma.RegexLexer
		if lexer, err = chroma.NewXMLLexer(files, name); err != nil {
			break
		}
		all.Register(lexer)
	}
	// The files are part of the program, so that this does not happen.
	if err != nil {
		panic("highlight: " + err.Error())
	}
	all.Register(goLexer())
	return all
})

// Highlight returns code as HTML, its parts in spans with classes. language is the info string of a fenced block or a file
// name extension, such as "go" or "yaml".
func Highlight(code, language string) string {
	language, _, _ = strings.Cut(strings.TrimSpace(language), " ")
	lexer := lexerOf(language)
	if lexer == nil || len(code) > maxBytes || longestLine(code) > maxLine {
		return html.EscapeString(code)
	}
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root", EnsureLF: false}, code)
	if err != nil {
		return html.EscapeString(code)
	}
	return markTokens(code, tokens)
}

func lexerOf(language string) chroma.Lexer {
	// The name comes from a text, and must not be a path.
	if language == "" || path.Base(language) != language {
		return nil
	}
	lexer := lexers().Get(strings.ToLower(language))
	if lexer == nil {
		return nil
	}
	return chroma.Coalesce(lexer)
}

func longestLine(code string) (longest int) {
	for line := range strings.Lines(code) {
		longest = max(longest, len(line))
	}
	return longest
}

// markTokens writes tokens, or the plain code if they are not exactly its text.
func markTokens(code string, tokens chroma.Iterator) string {
	var out strings.Builder
	end, rest := time.Now().Add(maxTime), code
	for token := tokens(); token != chroma.EOF; token = tokens() {
		var same bool
		// A lexer that loses or changes text must not change what a person reads.
		if rest, same = strings.CutPrefix(rest, token.Value); !same || time.Now().After(end) {
			return html.EscapeString(code)
		}
		class := classOf(token.Type)
		if class == "" {
			out.WriteString(html.EscapeString(token.Value))
			continue
		}
		out.WriteString(`<span class="` + class + `">` + html.EscapeString(token.Value) + `</span>`)
	}
	if rest != "" {
		return html.EscapeString(code)
	}
	return out.String()
}

// classOf returns the class of a kind of token, "" for those that look like plain text.
func classOf(kind chroma.TokenType) string {
	switch kind {
	case chroma.Text, chroma.TextWhitespace, chroma.Punctuation, chroma.Name, chroma.NameOther, chroma.Error, chroma.Other:
		return ""
	}
	return chroma.StandardTypes[kind]
}
