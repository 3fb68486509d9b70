package outline

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"sync"

	"chant/engine/code/chunk"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Language returns the language of a file by its name, and for scripts without an extension by its first line; "text" if
// it is not known.
func Language(name string, text []byte) string {
	base := path.Base(name)
	if known, ok := byName()[base]; ok {
		return known
	}
	ending := strings.ToLower(strings.TrimPrefix(path.Ext(base), "."))
	// The extension of headers is the same for three languages.
	if ending == "h" {
		return header(text)
	}
	if known, ok := byExtension()[ending]; ok {
		return known
	}
	// Only the first line of a script names its language, and a binary file may have no line.
	line, _, _ := bytes.Cut(text[:min(len(text), 200)], []byte{'\n'})
	if !bytes.HasPrefix(line, []byte("#!")) {
		return "text"
	}
	for _, script := range [...]struct{ word, language string }{
		{"python", "python"}, {"node", "javascript"}, {"ruby", "ruby"}, {"php", "php"}, {"perl", "perl"}, {"bash", "bash"}, {"sh", "bash"}, {"swift", "swift"},
	} {
		if bytes.Contains(line, []byte(script.word)) {
			return script.language
		}
	}
	return "text"
}

// header returns the language of a header: C, unless it has what only C++ or Objective-C have.
func header(text []byte) string {
	switch {
	case objectiveC().Match(text):
		return "objc"
	case cpp().Match(text):
		return "cpp"
	default:
		return "c"
	}
}

var (
	objectiveC = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^@(?:interface|protocol|class)\b`) })
	cpp        = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^[ \t]*(?:class[ \t]+\w[^;()]*\{|(?:inline[ \t]+)?namespace\b|template[ \t]*<|(?:public|private|protected)[ \t]*:|using[ \t]+\w+[ \t]*=)`)
	})
)

var (
	byName      = table("make Makefile GNUmakefile, docker Dockerfile Containerfile, ruby Gemfile Rakefile Podfile Fastfile, bash .bashrc .profile .zshrc, cmake CMakeLists.txt, text LICENSE README COPYING")
	byExtension = table("go go, swift swift, typescript ts mts cts, tsx tsx, javascript js mjs cjs jsx, python py pyi pyw, rust rs, java java, kotlin kt kts, " +
		"c c h, cpp cc cpp cxx hpp hh hxx ipp inl, csharp cs csx, ruby rb rake gemspec, php php phtml, bash sh bash zsh bats, " +
		"markdown md markdown mdx, text txt rst adoc org, json json jsonc json5, yaml yaml yml, toml toml, xml xml xsd plist, html html htm, css css scss less, " +
		"sql sql, proto proto, lua lua, perl pl pm, scala scala sc, groovy groovy gradle, dart dart, elixir ex exs, erlang erl hrl, haskell hs, ocaml ml mli, " +
		"clojure clj cljs, r r, julia jl, zig zig, nim nim, objc m mm, fsharp fs fsx, vb vb, assembly s asm, make mk, cmake cmake, terraform tf hcl, graphql graphql gql, " +
		"vue vue, svelte svelte, txtar txtar, ini ini cfg conf properties, csv csv tsv, powershell ps1 psm1, awk awk, vim vim, emacs el, latex tex, mod mod work")
)

// table reads "language ending ending, language ending" into a map from endings to languages.
func table(text string) func() map[string]string {
	return sync.OnceValue(func() map[string]string { return read(text) })
}

func read(text string) map[string]string {
	known := map[string]string{}
	for entry := range strings.SplitSeq(text, ", ") {
		words := strings.Fields(entry)
		for _, ending := range words[1:] {
			known[ending] = words[0]
		}
	}
	return known
}

// isDocs reports whether files of a language are documentation.
func isDocs(language string) bool {
	return language == "markdown" || language == "text" || language == "latex"
}

// isData reports whether files of a language are data, which declare nothing.
func isData(language string) bool {
	switch language {
	case "json", "yaml", "toml", "xml", "html", "csv", "ini", "txtar", "mod":
		return true
	}
	return false
}

// paragraphs is about how many bytes a piece of text without headings has.
const paragraphs = 2000

// divider makes chunks of a text, in order.
type divider struct {
	src    []byte
	chunks []chunk.Chunk
	at     int // bytes before it have been counted
	lines  int // line breaks among them
}

// add adds the bytes between from and to, unless they are blank: as one chunk, or as several if they are too long. titles
// are those of the headings around.
func (d *divider) add(from, to int, kind chunk.Kind, title string, titles ...string) {
	for from < to {
		end := to
		if to-from > chunk.MaxBytes {
			end = from + pieceOf(d.src[from:to], chunk.MaxBytes)
		}
		d.piece(from, end, chunk.Chunk{Kind: kind, Symbols: symbol(title), Breadcrumb: breadcrumb(titles)})
		from = end
	}
}

// windows adds the bytes between from and to in pieces of a few paragraphs.
func (d *divider) windows(from, to int, kind chunk.Kind) {
	for from < to {
		end := from + pieceOf(d.src[from:to], paragraphs)
		d.piece(from, end, chunk.Chunk{Kind: kind})
		from = end
	}
}

func (d *divider) piece(from, end int, c chunk.Chunk) {
	if len(bytes.TrimSpace(d.src[from:end])) == 0 {
		return
	}
	c.Start, c.End, c.StartLine = from, end, d.line(from)
	c.EndLine = max(c.StartLine, d.line(end-1))
	d.chunks = append(d.chunks, c)
}

// line returns the number of the line of a byte, which does not lie before one that was asked for earlier by much.
func (d *divider) line(at int) int {
	// Lines are counted from the last place on, unless a caller goes back.
	if at < d.at {
		d.at, d.lines = 0, 0
	}
	d.lines += bytes.Count(d.src[d.at:at], []byte{'\n'})
	d.at = at
	return d.lines + 1
}

// pieceOf returns the length of a piece of at most most bytes: up to the last blank line, else the last line, else
// the last space or character.
func pieceOf(src []byte, most int) int {
	if len(src) <= most {
		return len(src)
	}
	head := src[:most]
	// A blank line near the beginning would leave a piece too small.
	if at := bytes.LastIndex(head, []byte("\n\n")); at > most/4 {
		return at + 2
	}
	if at := bytes.LastIndexByte(head, '\n'); at > 0 {
		return at + 1
	}
	if at := bytes.LastIndexByte(head, ' '); at > 0 {
		return at + 1
	}
	// Within a character.
	for most > 1 && src[most]&0xC0 == 0x80 {
		most--
	}
	return most
}

func symbol(title string) []string {
	if title == "" {
		return nil
	}
	return []string{title}
}

// breadcrumb joins the titles around a section and its own, if there are several.
func breadcrumb(titles []string) string {
	if len(titles) < 2 {
		return ""
	}
	return strings.Join(titles, " > ")
}

// sections divides Markdown at its headings.
func sections(src []byte) []chunk.Chunk {
	d := divider{src: src}
	body := frontMatter(src)
	if body > 0 {
		d.add(0, body, chunk.Document, "")
	}
	var titles []string // of the headings around, by level
	from, title := body, ""
	for _, h := range headings(src, body) {
		d.add(from, h.at, chunk.Section, title, titles...)
		// A heading ends all sections of its own level and below.
		titles = append(titles[:min(len(titles), h.level-1)], h.title)
		from, title = h.at, h.title
	}
	d.add(from, len(src), chunk.Section, title, titles...)
	return d.chunks
}

// heading is a heading of a document.
type heading struct {
	at, level int
	title     string
}

// headings returns the headings of a document, each with the start of its line. The text before body is not Markdown.
func headings(src []byte, body int) []heading {
	var list []heading
	root := goldmark.DefaultParser().Parse(text.NewReader(src[body:]))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Lines().Len() == 0 {
			continue
		}
		first := h.Lines().At(0)
		last := h.Lines().At(h.Lines().Len() - 1)
		// The parser leaves out the marks, so the start of the line is looked for.
		at := body + bytes.LastIndexByte(src[body:body+first.Start], '\n') + 1
		title := strings.Join(strings.Fields(string(src[body+first.Start:body+last.Stop])), " ")
		list = append(list, heading{at: at, level: h.Level, title: strings.Trim(title, "# ")})
	}
	return list
}

// frontMatter returns where the front matter of a document ends; 0 if there is none.
func frontMatter(src []byte) int {
	start := len(src) - len(bytes.TrimPrefix(src, []byte("\ufeff")))
	line, rest, ok := bytes.Cut(src[start:], []byte("\n"))
	if !ok || string(bytes.TrimRight(line, "\r")) != "---" {
		return 0
	}
	at := len(src) - len(rest)
	for line := range bytes.Lines(rest) {
		at += len(line)
		if string(bytes.TrimRight(line, "\r\n")) == "---" {
			return at
		}
	}
	return 0
}
