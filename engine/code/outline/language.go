package outline

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"sync"
)

// Language returns the language of a file by its name, and for scripts without an extension by its first line; "text" if
// it is not known.
func Language(name string, text []byte) string {
	base := path.Base(name)
	if known, ok := byName()[base]; ok {
		return known
	}
	ending := strings.ToLower(strings.TrimPrefix(path.Ext(base), "."))
	if ending == "h" {
		return header(text)
	}
	if known, ok := byExtension()[ending]; ok {
		return known
	}
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
