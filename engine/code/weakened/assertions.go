package weakened

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/evidence/criteria"
)

// assertion is a statement that can fail a test.
type assertion struct {
	at   int    // the byte of the file
	line string // as it is written
	text string // without layout and messages
}

// asserts are patterns of what an assertion begins with, in text without comments and strings.
var asserts = sync.OnceValue(func() map[string]*regexp.Regexp {
	script := regexp.MustCompile(`\b(?:expect|assert|expectTypeOf|assertType)\s*[.(]|\bassert[A-Z]\w*\s*\(|\.should\b|\bt\.(?:is|deepEqual|truthy|falsy|true|false|not|equal|equals|ok|throws\w*|same|notOk|like|regex)\(`)
	jvm := regexp.MustCompile(`\b(?:assert\w*|Assert\.\w+|Assertions\.\w+|verify|fail|expectThrows|should\w*)\s*[({]|\bassertThat\b|\.should\w*\b|@Test\s*\(\s*expected\b`)
	c := regexp.MustCompile(`\b(?:assert\w*|(?:ASSERT|EXPECT|CHECK|REQUIRE|TEST_ASSERT|CU_ASSERT|FAIL)\w*|ck_assert\w*|cr_(?:assert|expect)\w*|mu_assert\w*|fail\w*|abort)\s*\(|\breturn\s+(?:[1-9]|-1|EXIT_FAILURE)\w*\s*;|\bexit\s*\(\s*(?:[1-9]|EXIT_FAILURE)`)
	return map[string]*regexp.Regexp{
		"go":         regexp.MustCompile(`\b(?:t|b|f|tb|tt|T\(\))\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|\b(?:assert|require|is|qt|check|must|gomega|suite|s)\.[A-Z]\w+\(|\bc\.(?:Assert|Check)\(|\b(?:Expect|Eventually|Ω)\(|\bm\.Run\(`),
		"javascript": script, "typescript": script, "tsx": script,
		"python": regexp.MustCompile(`\bassert\b|\bself\.(?:assert\w+|fail\w*)\s*\(|\bpytest\.(?:raises|warns|fail)\s*\(|\.assert_\w+\(|\bassert_\w+\(|\braise\s+AssertionError`),
		"rust":   regexp.MustCompile(`\b(?:debug_|prop_)?assert\w*!\s*[({\[]|\b(?:panic|unreachable)!\s*\(|#\[\s*should_panic\b`),
		"java":   jvm, "kotlin": jvm,
		"csharp": regexp.MustCompile(`\b(?:Assert|StringAssert|CollectionAssert)\.\w+|\.Should\w*\(|\.Verify\w*\(`),
		"ruby":   regexp.MustCompile(`\b(?:assert\w*|refute\w*|expect|flunk|is_expected)\b|\.(?:should\w*|must_\w+|wont_\w+)\b`),
		"php":    regexp.MustCompile(`(?:->|::)\s*(?:assert\w+|expectException\w*|fail)\s*\(|\bassert\w*\s*\(|\bexpect\s*\(`),
		"swift":  regexp.MustCompile(`\bXCT(?:Assert\w*|Fail|Unwrap)\b|#(?:expect|require)\b`),
		"c":      c, "cpp": c,
		"bash": regexp.MustCompile(`(?m:^|[;&|{(!]\s*|\bif\s+|\bthen\s+|\bwhile\s+)\s*(?:\[\[?|test|diff|cmp|e?grep|assert\w*|fail\w*|refute\w*|run)\s|\bexit\s+[1-9]|\breturn\s+[1-9]`),
	}
})

// failing matches statements that say nothing about what must hold: that is the condition around them.
var failing = pattern{text: `^(?:\w+\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(|T\(\)|return\b|exit\b|abort\b|panic!|unreachable!|fail\w*\s*\(|raise\b)`}

// assertionsOf lists the assertions of a unit.
func assertionsOf(u unit) []assertion {
	re := asserts()[u.file.lang]
	if re == nil {
		return nil
	}
	var out []assertion
	code, bare := u.codeOf(), u.bareOf()
	end := -1
	for _, m := range re.FindAllStringIndex(bare, -1) {
		// One within another belongs to that.
		if m[0] < end {
			continue
		}
		start := m[0] + lead(bare[m[0]:m[1]])
		end = statementEnd(bare, start)
		a := assertion{at: u.start + start, line: strings.TrimSpace(code[start:end])}
		condition := ""
		if failing.get().MatchString(bare[start:]) || u.file.lang == "bash" {
			condition = conditionAround(code, bare, start)
		}
		switch {
		case u.file.lang == "bash":
			a.line = lineOf(code, start)
			a.text = normal(condition + a.line)
			end = start + len(lineAfter(bare, start))
		case condition != "":
			a.line = condition
			a.text = normal(condition)
		default:
			a.text = normal(withoutMessage(u.file.lang, code[start:end], bare[start:end]))
		}
		out = append(out, a)
	}
	return out
}

// lineAfter returns the rest of a line.
func lineAfter(text string, at int) string {
	line, _, _ := strings.Cut(text[at:], "\n")
	return line
}

// statementEnd returns where a statement ends: at the end of a line or a semicolon outside of brackets, unless the next
// line continues a chain.
func statementEnd(bare string, at int) int {
	depth := 0
	for i := at; i < len(bare); i++ {
		switch bare[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return i
			}
		case ';':
			if depth <= 0 {
				return i
			}
		case '\n':
			if depth <= 0 && !strings.HasPrefix(strings.TrimLeft(bare[i:], " \t\r\n"), ".") && bare[max(i-1, 0)] != '\\' {
				return i
			}
		}
	}
	return len(bare)
}

// conditionAround returns the condition under which a statement runs: that of the line before it, or of the block around.
func conditionAround(code, bare string, at int) string {
	start := strings.LastIndexByte(bare[:at], '\n') + 1
	if head := strings.TrimSpace(code[start:at]); strings.HasPrefix(head, "if") || strings.HasPrefix(head, "else if") {
		return head
	}
	depth := 0
	for i := at - 1; i >= 0; i-- {
		switch bare[i] {
		case '}':
			depth++
		case '{':
			if depth--; depth >= 0 {
				continue
			}
			from := strings.LastIndexByte(bare[:i], '\n') + 1
			head := strings.TrimSpace(code[from:i])
			head = strings.TrimSpace(strings.TrimPrefix(head, "}"))
			for _, word := range []string{"if", "else if", "else", "for", "switch", "unless"} {
				if strings.HasPrefix(head, word) {
					return head
				}
			}
			return ""
		}
	}
	// C without braces.
	if before := strings.TrimSpace(code[:start]); strings.HasSuffix(before, ")") {
		if line := lineOf(before, len(before)-1); strings.HasPrefix(line, "if") {
			return line
		}
	}
	return ""
}

// withoutMessage is an assertion without the text that it prints when it fails.
func withoutMessage(lang, code, bare string) string {
	open := strings.IndexByte(bare, '(')
	if lang == "python" && strings.HasPrefix(bare, "assert ") {
		if args := arguments(code, bare, len("assert")); len(args) > 1 {
			return "assert " + args[0]
		}
		return code
	}
	if open < 0 {
		return code
	}
	end := closing(bare, open)
	args := arguments(code[:end-1], bare[:end-1], open+1)
	most := 2
	if unary.get().MatchString(bare[:open]) {
		most = 1
	}
	// Libraries of Go have the test as their first argument.
	if lang == "go" && len(args) > 0 && strings.TrimSpace(args[0]) == "t" {
		most++
	}
	if len(args) <= most {
		return code
	}
	for i, arg := range args[most:] {
		if quoted.get().MatchString(strings.TrimSpace(arg)) {
			return code[:open+1] + strings.Join(args[:most+i], ",") + code[end-1:]
		}
	}
	return code
}

// unary matches assertions about one value.
var unary = pattern{text: `(?i)(?:true|false|null|nil|none|error|empty|zero|assert!?|ok|fail)$`}

// arguments divides what is between brackets at its commas.
func arguments(code, bare string, from int) []string {
	var out []string
	depth, start := 0, from
	for i := from; i < len(bare); i++ {
		switch bare[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out, start = append(out, code[start:i]), i+1
			}
		}
	}
	return append(out, code[start:])
}

// patterns of assertions without layout.
var (
	// setup is what a test checks in passing.
	setup    = pattern{text: `err!=nil\)?$|NoError|IsNil\(err|ErrorIs\(err,nil|Nil\((?:t,)?err\)|Success|is_ok\(\)|assertDoesNotThrow`}
	constant = pattern{text: `(?i)^(?:assert\(?|assert!\(|debug_assert!\()(?:true|1|!0|not?false|"[^"]+")\)?$|` +
		`(?:assert_?true|istrue|assert\.ok|assert\.true|require\.true|refute|\.true|xctasserttrue|ck_assert|cu_assert|test_assert\w*|assert_true|expect_true|check|require|assert\.istrue)!?\((?:t,)?(?:true|1)\)$|` +
		`(?:assert_?false|assert\.false|require\.false|xctassertfalse|expect_false|assert\.isfalse)\((?:t,)?(?:false|0)\)$|` +
		`^(?:expect|assertthat)\(true\)|^if!?\(?(?:false|0|1==0|true==false)\)?$|^(?:assert|if).*(?:ortrue|\|\|true|\|\|1)\)?$|&&false\)?$|^if\(?false&&|` +
		`^(?:if)?\[\[?(?:1=+1|"?true"?=+"?true"?|-n".+")\]\]?|\|\|(?:true|:)$`}
	same  = pattern{text: `^(?:assert|if)?\(?(?:!\()?([\w."\[\]()]+?)(?:==|!=|===|!==)([\w."\[\]()]+?)\)?$`}
	loose = pattern{text: `NotNil|NotNull|NotEmpty|toBeDefined|toBeTruthy|toBeFalsy|toBeInstanceOf|toBeTypeOf|isnotNone|IsNotNone|isinstance|IsInstance|InstanceOf|expect\.anything|expect\.any|Contains?\(|assertIn\(|toContain|toMatch\(|startswith|startsWith|is_some|is_ok|is_err|be_truthy|be_present|be_nil|be_a\b|be_an|not_to|assert_(?:includes|match|operator|in_delta|kind_of|instance_of|respond_to|predicate|not_nil)|refute_nil|respond_to|toBeGreater|toBeLess|Greater|InDelta|WithinDuration|>=|<=|!=(?:nil|NULL|null|None|""|0)|>0|assertTrue\(isset|-n"|-f"|-s"|-e"`}
)

// isConstant reports whether an assertion holds whatever the code does.
func isConstant(text string) bool {
	if constant.get().MatchString(text) {
		return true
	}
	if m := same.get().FindStringSubmatch(text); m != nil && m[1] == m[2] {
		return true
	}
	open := strings.IndexByte(text, '(')
	if open < 0 || !strings.HasSuffix(text, ")") {
		return false
	}
	if m := matcher.get().FindStringSubmatch(text); m != nil {
		return m[1] == m[2]
	}
	args := arguments(text[:len(text)-1], text[:len(text)-1], open+1)
	if len(args) == 3 && args[0] == "t" {
		args = args[1:]
	}
	return len(args) == 2 && args[0] == args[1] && equality.get().MatchString(text[:open])
}

var (
	matcher  = pattern{text: `^expect\((.+)\)\.?(?:toBe|toEqual|toStrictEqual|to\.equal|toeq)\((.+)\)$`}
	equality = pattern{text: `(?i)(?:equals?|eq!?|same|deepequal|is)$`}
)

// literal matches a value that is written out.
var literal = pattern{text: `"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|-?\b\d[\w.]*|\b(?:true|false|True|False|None|nil|null|NULL)\b`}

func literals(code string) []string {
	return literal.get().FindAllString(strings.ReplaceAll(code, "'", `"`), -1)
}

// calls lists what code calls, but for assertions and what tests are made of.
func calls(code string) []string {
	var out []string
	for _, m := range called.get().FindAllStringSubmatch(code, -1) {
		if !ordinary.get().MatchString(m[1]) && !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

var (
	called   = pattern{text: `\b(\w+)\(`}
	ordinary = pattern{text: `(?i)^(?:assert.*|expect.*|require|it|test.*|def|func|if|for|while|errorf?|fatalf?|to\w+|equal.*|eq|run|parallel|describe|print.*|len|range)$`}
)

// shape is code without its values and negations.
func shape(code string) string {
	code = literal.get().ReplaceAllString(code, "§")
	return polarity.get().ReplaceAllString(code, "")
}

var polarity = pattern{text: `==|!=|\bnot_?|\.not\b|!|(?:True|False|true|false|Nil|Null|Throws|NotNil|NotNull|NotEqual|Equals?|toThrow)\b`}

func valuesOf(code string) string {
	return strings.Join(append(literal.get().FindAllString(code, -1), polarity.get().FindAllString(code, -1)...), "\x00")
}

// compareAssertions finds assertions that are gone, constant, looser or expect something else.
func (f *finder) compareAssertions(u, v unit) {
	was, is := u.asserts, v.asserts
	gone, added := difference(was, is), difference(is, was)
	if len(gone) == 0 {
		return
	}
	count := strength(v, is, f.now) - strength(u, was, f.old)
	for _, a := range added {
		if isConstant(a.text) {
			before := ""
			if at := nearest(a, gone); at >= 0 {
				before = gone[at].line
				gone = slices.Delete(gone, at, at+1)
				// What has replaced it counts for nothing, and is reported already.
				count++
			}
			f.add(criteria.AssertionConstant, v.file, a.at, before, a.line)
		}
	}
	added = slices.DeleteFunc(added, func(a assertion) bool { return isConstant(a.text) })
	var unpaired []assertion
	for _, r := range gone {
		at := nearest(r, added)
		if at < 0 {
			unpaired = append(unpaired, r)
			continue
		}
		a := added[at]
		added = slices.Delete(added, at, at+1)
		f.comparePair(u, v, r, a)
	}
	for _, r := range unpaired {
		if count >= 0 || isConstant(r.text) || setup.get().MatchString(r.text) || f.inTable(r, u, v) || f.isMoved(r) {
			continue
		}
		count++
		f.add(criteria.AssertionRemoved, u.file, r.at, r.line, "")
	}
}

// comparePair compares an assertion with what has replaced it.
func (f *finder) comparePair(u, v unit, r, a assertion) {
	switch {
	case setup.get().MatchString(r.text) || isConstant(r.text):
	case loose.get().MatchString(a.text) && !loose.get().MatchString(r.text) && !f.inTable(r, u, v):
		f.add(criteria.AssertionRemoved, v.file, a.at, r.line, a.line)
	case f.codeChanged() && expectsOther(u, v, r, a):
		f.add(criteria.ExpectationChanged, v.file, a.at, r.line, a.line)
	}
}

// expectsOther reports whether an assertion has other values than the one that it replaces.
func expectsOther(u, v unit, r, a assertion) bool {
	// Only spaces divide the words of a shell.
	if u.file.lang == "bash" {
		r.text, a.text = r.line, a.line
	}
	if shape(r.text) == shape(a.text) {
		return valuesOf(r.text) != valuesOf(a.text)
	}
	// Written in another way, a value of it is nowhere in the test any more, and another one is new.
	lost := without(literals(r.text), literals(v.codeOf()))
	fresh := without(literals(a.text), literals(u.codeOf()))
	return len(lost) > 0 && len(fresh) > 0
}

// isMoved reports whether other tests have an assertion that one has lost.
func (f *finder) isMoved(r assertion) bool {
	count := func(sources map[string]*source) (n int) {
		for _, s := range sources {
			for _, u := range slices.Concat(s.units, s.top) {
				if u.test || u.helper {
					for _, a := range u.asserts {
						if a.text == r.text {
							n++
						}
					}
				}
			}
		}
		return n
	}
	return count(f.now) >= count(f.old)
}

// inTable reports whether the values of an assertion are in a test that has a table now.
func (f *finder) inTable(r assertion, u, v unit) bool {
	return table.get().MatchString(v.codeOf()) && !table.get().MatchString(u.codeOf()) && len(without(literals(r.text), literals(v.codeOf()))) == 0
}

// table matches what runs a test for each of several rows.
var table = pattern{text: `\bfor\b|parametrize|\.each\b|ParameterizedTest|InlineData|TestCase\(|dataProvider|DataProvider|forEach|subTest|rstest|test_case`}

// strength counts the assertions of a unit, with those of the functions that it calls in the tests of the same version.
func strength(u unit, own []assertion, sources map[string]*source) int {
	n := 0
	for _, a := range own {
		if !isConstant(a.text) && !setup.get().MatchString(a.text) {
			n++
		}
	}
	uses := map[string]int{}
	for _, word := range words.get().FindAllString(u.bareOf(), -1) {
		uses[word]++
	}
	for _, s := range sources {
		for _, h := range s.units {
			if h.test || !h.helper || h.file.path == u.file.path && h.name == u.name {
				continue
			}
			n += uses[lastName(h.name)] * len(h.asserts)
		}
	}
	return n
}

// difference returns the assertions of a list that another one does not have, counting each.
func difference(list, other []assertion) []assertion {
	have := map[string]int{}
	for _, a := range other {
		have[a.text]++
	}
	var out []assertion
	for _, a := range list {
		if have[a.text]--; have[a.text] < 0 {
			out = append(out, a)
		}
	}
	return out
}

// nearest returns the index of the assertion that is most like another one, -1 if none is.
func nearest(a assertion, list []assertion) int {
	best, at := 0.34, -1
	for i, b := range list {
		likeness := alike(a.line, b.line)
		if shape(a.text) == shape(b.text) {
			likeness++
		}
		if likeness > best {
			best, at = likeness, i
		}
	}
	// The only one that is left in place of the only one that is gone.
	if at < 0 && len(list) == 1 {
		return 0
	}
	return at
}

// row matches a line that is a row of a table, or names one.
var row = pattern{text: `^(?:[{(\[].*[})\]],?|["'][^"']*["']\s*[:,=>].*[})\]],?|(?:name|desc\w*|title)\s*:\s*["'].*|(?:want\w*|expect\w*|exp|result|output)\s*(?::=?|=)\s*.*|\[(?:InlineData|TestCase|DataRow)\(.*|@CsvSource.*|#\[(?:case|test_case)\(.*)$`}

// compareRows finds rows of tables that are gone or expect something else.
func (f *finder) compareRows(u, v unit) {
	if asserts()[u.file.lang] == nil {
		return
	}
	gone, added := changedLines(u.codeOf(), v.codeOf()), changedLines(v.codeOf(), u.codeOf())
	isRow := func(l line) bool { return row.get().MatchString(l.text) && !asserts()[u.file.lang].MatchString(l.text) }
	gone, added = slices.DeleteFunc(gone, func(l line) bool { return !isRow(l) }), slices.DeleteFunc(added, func(l line) bool { return !isRow(l) })
	removed := len(gone) - len(added)
	for _, r := range gone {
		at := slices.IndexFunc(added, func(a line) bool { return shape(normal(a.text)) == shape(normal(r.text)) })
		if at >= 0 {
			a := added[at]
			added = slices.Delete(added, at, at+1)
			if f.codeChanged() && len(u.asserts) > 0 {
				f.add(criteria.ExpectationChanged, v.file, v.start+a.at, r.text, a.text)
			}
			continue
		}
		if removed > 0 && strings.ContainsAny(r.text[:1], `{([`) && len(literals(r.text)) > 0 && len(without(literals(r.text), literals(v.codeOf()))) > 0 {
			removed--
			f.add(criteria.TestRemoved, u.file, u.start+r.at, r.text, "")
		}
	}
}
