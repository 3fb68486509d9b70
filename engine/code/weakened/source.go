package weakened

import (
	"context"
	"errors"
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"chant/engine/code/chunk"
	"chant/engine/code/outline"
	"chant/grammars"
)

// source is one version of a file. Its three texts have the same length.
type source struct {
	path, lang string
	text       string
	code       string // without comments
	bare       string // and without what strings contain
	isTest     bool   // the whole file belongs to tests
	units      []unit // tests and other functions, in order
	top        []unit // what is left, as one unit with its parts
}

// unit is a test, another function, or what a file has beside them.
type unit struct {
	name       string
	test       bool // a runner collects it
	helper     bool // it belongs to tests all the same
	start, end int
	file       *source

	body    string      // the code of a unit of tests without name and layout
	words   []string    // of the code
	asserts []assertion // of a unit of tests
}

// codeOf returns the text of a unit without comments.
func (u unit) codeOf() string { return u.file.code[u.start:u.end] }
func (u unit) bareOf() string { return u.file.bare[u.start:u.end] }

// readSource reads a file.
func readSource(ctx context.Context, name string, src []byte) (*source, error) {
	s := &source{path: name, lang: outline.Language(name, src), text: string(src)}
	s.code, s.bare = s.text, s.text
	tree, err := s.blank(ctx)
	if err != nil {
		return nil, err
	}
	if !isCode(s.lang) {
		return s, nil
	}
	s.isTest = isTestPath(name)
	if err := s.addFunctions(ctx, src); err != nil {
		return nil, err
	}
	if tree != nil {
		s.addCalls(tree)
	}
	s.addBlocks()
	s.settle()
	return s, nil
}

// isCode reports whether a language has tests.
func isCode(lang string) bool {
	_, known := outline.Grammar(lang)
	return known || lang == "go"
}

// patterns of paths.
var (
	testPath = pattern{text: `(?:^|/)(?:tests?|specs?|__tests__|e2e)/|(?:^|/)test_[^/]*$|(?:^|/)tests?\.\w+$|[._-](?:test|spec|tests)\.\w+$|[a-z0-9](?:Tests?|Spec)\.\w+$|(?:^|/)conftest\.py$|\.(?:bats|t)$`}
	dataPath = pattern{text: `(?:^|/)(?:testdata|fixtures?|__fixtures__|vendor|node_modules|third_party)/`}
)

// isTestPath reports whether a file consists of tests and what they need, by its path.
func isTestPath(name string) bool {
	if strings.HasSuffix(name, ".go") {
		return strings.HasSuffix(name, "_test.go") && !dataPath.get().MatchString(name)
	}
	return testPath.get().MatchString(name) && !dataPath.get().MatchString(name)
}

// blank fills code and bare. The tree is nil for Go and for files without a grammar.
func (s *source) blank(ctx context.Context) (*grammars.Tree, error) {
	code, bare := []byte(s.text), []byte(s.text)
	defer func() { s.code, s.bare = string(code), string(bare) }()
	if s.lang == "go" {
		var sc scanner.Scanner
		set := token.NewFileSet()
		file := set.AddFile("", -1, len(s.text))
		sc.Init(file, []byte(s.text), func(token.Position, string) {}, scanner.ScanComments)
		for {
			pos, tok, lit := sc.Scan()
			at := file.Offset(pos)
			switch tok {
			case token.EOF:
				return nil, nil
			case token.COMMENT:
				erase(code, at, at+len(lit))
				erase(bare, at, at+len(lit))
			case token.STRING, token.CHAR:
				erase(bare, at+1, at+len(lit)-1)
			}
		}
	}
	grammar, ok := outline.Grammar(s.lang)
	if !ok {
		return nil, nil
	}
	tree, err := grammars.Parse(ctx, grammar, code)
	if err != nil {
		if errors.Is(err, grammars.ErrTooHard) {
			return nil, nil
		}
		return nil, err
	}
	for i := 0; i < len(tree.Nodes); i++ {
		n, kind := tree.Nodes[i], tree.Kind(i)
		start, end := int(n.Start), int(n.End)
		switch {
		case !n.Named:
			continue
		case strings.Contains(kind, "comment"), s.isDocstring(tree, i):
			erase(code, start, end)
			erase(bare, start, end)
		case isString(kind):
			erase(bare, start+1, end-1)
		default:
			continue
		}
		i = int(n.Next) - 1
	}
	return tree, nil
}

// isDocstring reports whether a node is a string of Python that is a statement by itself.
func (s *source) isDocstring(tree *grammars.Tree, i int) bool {
	return s.lang == "python" && tree.Kind(i) == "expression_statement" && i+1 < len(tree.Nodes) && tree.Kind(i+1) == "string" &&
		tree.Nodes[i+1].Next == tree.Nodes[i].Next
}

func isString(kind string) bool {
	return strings.Contains(kind, "string") && !strings.Contains(kind, "array") || strings.HasPrefix(kind, "char") && strings.HasSuffix(kind, "literal") ||
		strings.HasPrefix(kind, "heredoc") && kind != "heredoc_redirect"
}

// erase writes spaces over a part of a text, but for the ends of lines.
func erase(b []byte, from, to int) {
	for i := max(from, 0); i < min(to, len(b)); i++ {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}

// patterns of tests in the text of a function.
var (
	goTest    = pattern{text: `^(?:Test|Fuzz|Example)(?:$|[^a-z])`}
	annotated = sync.OnceValue(func() map[string]*regexp.Regexp {
		jvm := regexp.MustCompile(`@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b`)
		return map[string]*regexp.Regexp{
			"rust": regexp.MustCompile(`#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck|wasm_bindgen_test)\b`), "java": jvm, "kotlin": jvm,
			"csharp": regexp.MustCompile(`\[\s*(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b`), "swift": regexp.MustCompile(`@Test\b`),
			"php": regexp.MustCompile(`#\[\s*Test\b`),
		}
	})
	// testCall is what JavaScript and Ruby call with a name and a block.
	testCall = pattern{text: `^(?:[xf]?(?:it|test|specify|scenario)|pending|skip|todo|(?:Deno|QUnit)\.test)(?:[.!?]\w+)*(?:\(|$|\s)`}
	// testMacro begins a test of C and C++; testBlock one of bats.
	testMacro = pattern{text: `(?m)^[ \t]*(?:TEST|TEST_F|TEST_P|TYPED_TEST|START_TEST|TEST_CASE|TEST_METHOD|Test|SCENARIO)\s*\(([^)\n]*)\)\s*\{`}
	testBlock = pattern{text: `(?m)^[ \t]*@test\s+(.+?)\s*\{[ \t]*$`}
)

// addFunctions adds the functions of the file.
func (s *source) addFunctions(ctx context.Context, src []byte) error {
	divided, err := outline.Divide(ctx, s.path, src)
	if err != nil {
		return err
	}
	for _, c := range divided.Chunks {
		if !c.Kind.IsCallable() || c.Name() == "" {
			continue
		}
		name := c.Name()
		if c.Breadcrumb != "" {
			name = c.Breadcrumb
		}
		// A long function has several chunks.
		if last := len(s.units) - 1; last >= 0 && s.units[last].name == name && s.units[last].end-s.units[last].start > chunk.MaxBytes/4 {
			s.units[last].end = c.End
			continue
		}
		u := unit{name: name, start: c.Start, end: min(c.End, len(s.text)), file: s}
		// Attributes of Rust are before the declaration.
		u.test = s.collects(c.Name(), u)
		u.helper = s.isTest || s.lang == "rust" && strings.HasPrefix(strings.ToLower(name), "test")
		s.units = append(s.units, u)
	}
	return nil
}

// collects reports whether a runner takes a function for a test.
func (s *source) collects(name string, u unit) bool {
	mark, marked := annotated()[s.lang]
	if marked && mark.MatchString(s.bare[u.start:u.end]) {
		return true
	}
	if !s.isTest {
		return false
	}
	base := path.Base(s.path)
	switch s.lang {
	case "go":
		return goTest.get().MatchString(name) && name != "TestMain"
	case "python":
		return strings.HasPrefix(name, "test") && (strings.HasPrefix(base, "test") || strings.HasSuffix(base, "_test.py") || base == "tests.py")
	case "ruby":
		return strings.HasPrefix(name, "test_")
	case "php", "swift":
		return strings.HasPrefix(name, "test") || strings.Contains(s.text[u.start:u.end], "@test")
	case "java":
		// JUnit 3 collects by name.
		return strings.HasPrefix(name, "test") && strings.Contains(s.bare, "extends TestCase")
	case "c", "cpp", "bash":
		return strings.HasPrefix(strings.ToLower(name), "test") || strings.HasSuffix(strings.ToLower(name), "_test")
	}
	return false
}

// addCalls adds the tests that are calls with a name and a block.
func (s *source) addCalls(tree *grammars.Tree) {
	if !s.isTest || !slices.Contains([]string{"javascript", "typescript", "tsx", "ruby"}, s.lang) {
		return
	}
	var groups []unit
	for i := range tree.Nodes {
		n := tree.Nodes[i]
		if !n.Named || tree.Kind(i) != "call_expression" && tree.Kind(i) != "call" {
			continue
		}
		code, bare := s.code[n.Start:n.End], s.bare[n.Start:n.End]
		name := firstString(code)
		if name == "" {
			continue
		}
		u := unit{name: name, test: true, helper: true, start: int(n.Start), end: int(n.End), file: s}
		for _, g := range slices.Backward(groups) {
			if g.start <= u.start && u.end <= g.end {
				u.name = g.name + " > " + name
				break
			}
		}
		switch {
		case testCall.get().MatchString(bare):
			// A test within another one, or the callee of test.each, belongs to that.
			if last := len(s.units) - 1; last < 0 || s.units[last].end <= u.start || !s.units[last].test {
				s.units = append(s.units, u)
			}
		case groupCall.get().MatchString(bare):
			groups = append(groups, u)
		}
	}
}

// groupCall begins a group of tests.
var groupCall = pattern{text: `^(?:[xf]?(?:describe|context|suite|feature)|RSpec\.describe)(?:[.!?]\w+)*(?:\(|$|\s)`}

// quoted matches a string.
var quoted = pattern{text: "\"((?:[^\"\\\\\n]|\\\\.)*)\"|'((?:[^'\\\\\n]|\\\\.)*)'|`([^`]*)`"}

// firstString returns the string that is the first argument on the first line of a call, or behind a table of rows.
func firstString(code string) string {
	line, _, _ := strings.Cut(code, "\n")
	if strings.Contains(line, ".each") {
		line = code
	}
	m := quoted.get().FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return m[1] + m[2] + m[3]
}

// addBlocks adds the tests of C, C++ and bats that are no functions to a grammar.
func (s *source) addBlocks() {
	var re *regexp.Regexp
	switch {
	case !s.isTest:
		return
	case s.lang == "c" || s.lang == "cpp":
		re = testMacro.get()
	case s.lang == "bash":
		re = testBlock.get()
	default:
		return
	}
	for _, m := range re.FindAllStringSubmatchIndex(s.code, -1) {
		name := strings.Join(strings.Fields(strings.Trim(s.code[m[2]:m[3]], `"'`)), " ")
		u := unit{name: name, test: true, helper: true, start: m[0], end: closing(s.bare, m[1]-1), file: s}
		s.units = slices.DeleteFunc(s.units, func(o unit) bool { return o.start < u.end && u.start < o.end })
		s.units = append(s.units, u)
	}
}

// closing returns the byte after the bracket that closes the one at a byte.
func closing(bare string, at int) int {
	depth := 0
	for i := at; i < len(bare); i++ {
		switch bare[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth <= 0 {
				return i + 1
			}
		}
	}
	return len(bare)
}

// settle orders the units, drops those within a test, and keeps what is left of the file.
func (s *source) settle() {
	slices.SortStableFunc(s.units, func(a, b unit) int { return a.start - b.start })
	var kept []unit
	for _, u := range s.units {
		if last := len(kept) - 1; last >= 0 && u.start < kept[last].end && (kept[last].test || !u.test) {
			continue
		}
		kept = append(kept, u)
	}
	s.units = kept
	// A file whose tests are found by marks in it belongs to tests as well, but for Rust, where they are beside the code.
	if s.lang != "rust" && slices.ContainsFunc(s.units, func(u unit) bool { return u.test }) {
		s.isTest = true
	}
	for i := range s.units {
		u := &s.units[i]
		u.helper = u.helper || s.isTest
		// Compared with those of many others, so read once.
		u.body = normal(strings.Replace(u.codeOf(), lastName(u.name), "", 1))
		if u.test || u.helper {
			u.words, u.asserts = words.get().FindAllString(u.codeOf(), -1), assertionsOf(*u)
		}
	}
	if !s.isTest {
		return
	}
	// What is left, in a source of its own so that places stay the same.
	code, bare := []byte(s.code), []byte(s.bare)
	for _, u := range s.units {
		erase(code, u.start, u.end)
		erase(bare, u.start, u.end)
	}
	rest := &source{path: s.path, lang: s.lang, text: s.text, code: string(code), bare: string(bare), isTest: true}
	top := unit{helper: true, end: len(s.text), file: rest}
	top.asserts = assertionsOf(top)
	s.top = []unit{top}
}

// production returns the code of the file that is no test.
func (s *source) production() string {
	if s.isTest || !isCode(s.lang) {
		return ""
	}
	code := []byte(s.code)
	for _, u := range s.units {
		if u.test || u.helper {
			erase(code, u.start, u.end)
		}
	}
	return string(code)
}

// normal is code without layout, which counts in strings alone.
func normal(code string) string {
	var b strings.Builder
	var quote, last rune
	escaped, word := false, "" // the word is that before a quote
	for _, r := range code {
		switch {
		case r == '\n' || r == quote && !escaped:
			quote = 0
		// An apostrophe behind a word or an ampersand is none of a string: a lifetime of Rust, a digit of C++.
		case quote == 0 && (r == '"' || r == '\'' && !strings.ContainsRune("&<", last) && (word == "" || stringPrefix.get().MatchString(word))):
			quote = r
		}
		escaped = r == '\\' && !escaped
		if last = r; quote == 0 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_') {
			word += string(r)
		} else {
			word = ""
		}
		switch r {
		case ' ', '\t', ';':
			if quote != 0 {
				b.WriteRune(r)
			}
		case '\r', '\n':
		case '\'', '`':
			b.WriteByte('"')
		default:
			b.WriteRune(r)
		}
	}
	return trailing.get().ReplaceAllString(b.String(), "$1")
}

// stringPrefix matches what Python has before a quote.
var stringPrefix = pattern{text: `^(?i:[frbu]|[fb]r|r[fb])$`}

var trailing = pattern{text: `,([)\]}])`}
