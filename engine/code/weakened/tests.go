package weakened

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"chant/engine/evidence/criteria"
)

// compareTests compares the tests of both versions, and what else belongs to tests.
func (f *finder) compareTests() {
	f.readKept()
	var gone []unit
	taken := map[*unit]bool{}
	for _, file := range f.files {
		old := f.old[file.Old]
		if old == nil {
			continue
		}
		now := f.now[file.Path]
		for i := range old.units {
			u := old.units[i]
			if !u.test && !u.helper {
				continue
			}
			if v := f.match(u, now, taken); v != nil {
				taken[v] = true
				f.compare(u, *v)
			} else if u.test {
				gone = append(gone, u)
			}
		}
		if now == nil {
			continue
		}
		for _, u := range old.top {
			for _, v := range now.top {
				f.compare(u, v)
			}
		}
		f.compareFocus(old, now)
		f.compareRegistered(old, now)
		f.compareTags(file, old, now)
		f.compareHidden(old, now)
	}
	f.removed = f.removedNames()
	for _, u := range gone {
		if !f.goesWithCode(u, f.removed) && !f.isMerged(u) {
			f.add(criteria.TestRemoved, u.file, u.start+lead(u.codeOf()), headline(u), f.uncollected(u))
		}
	}
}

// lead is how many bytes of layout a text begins with.
func lead(code string) int { return len(code) - len(strings.TrimLeft(code, " \t\r\n")) }

// headline is the first line of a unit that names it.
func headline(u unit) string {
	for line := range strings.SplitSeq(strings.TrimSpace(u.codeOf()), "\n") {
		if strings.Contains(line, lastName(u.name)) {
			return strings.TrimRight(strings.TrimSpace(line), "{: ")
		}
	}
	return u.name
}

// lastName is a name without the groups around it.
func lastName(name string) string {
	if at := strings.LastIndex(name, " > "); at >= 0 {
		return name[at+len(" > "):]
	}
	return name
}

// maxTries limits how many tests are compared word by word to find those that were renamed and changed.
const maxTries = 20_000

// match returns what a unit has become: by its name in the same file or another one, by its body, or by most of it. A test
// that is no longer collected has become nothing.
func (f *finder) match(u unit, now *source, taken map[*unit]bool) *unit {
	fits := func(v *unit) bool { return !taken[v] && (v.test || !u.test) && (v.test || v.helper) }
	files := []*source{now}
	for _, file := range f.files {
		if other := f.now[file.Path]; other != nil && other != now {
			files = append(files, other)
		}
	}
	for _, same := range []func(v *unit) bool{
		func(v *unit) bool { return v.name == u.name && (v.file == now || !f.stays(v)) },
		func(v *unit) bool { return lastName(v.name) == lastName(u.name) && !f.stays(v) },
		func(v *unit) bool { return v.body == u.body && !f.stays(v) },
		func(v *unit) bool {
			if v.file != now || f.stays(v) || f.tries == maxTries {
				return false
			}
			f.tries++
			return likeness(u.words, v.words) > 0.6
		},
	} {
		for _, file := range files {
			if file == nil {
				continue
			}
			for i := range file.units {
				if v := &file.units[i]; fits(v) && same(v) {
					return v
				}
			}
		}
	}
	return nil
}

// stays reports whether a unit was in its file before under its name, so that it cannot be what another one has become.
func (f *finder) stays(v *unit) bool { return f.kept[v.file.path+"\x00"+v.name] }

// readKept notes which units of the files are named as before.
func (f *finder) readKept() {
	f.kept = map[string]bool{}
	for _, file := range f.files {
		if old := f.old[file.Old]; old != nil {
			for _, u := range old.units {
				f.kept[file.Path+"\x00"+u.name] = true
			}
		}
	}
}

// words are the parts of code that are compared.
var words = pattern{text: `\w+|"[^"\n]*"|'[^'\n]*'|[=!<>]=`}

// alike says how much of two texts is the same, from 0 to 1.
func alike(a, b string) float64 {
	return likeness(words.get().FindAllString(a, -1), words.get().FindAllString(b, -1))
}

func likeness(left, right []string) float64 {
	if len(left)+len(right) == 0 {
		return 0
	}
	return 2 * float64(len(left)-len(without(left, right))) / float64(len(left)+len(right))
}

// without returns the elements of a list that another one does not have, counting each.
func without(list, other []string) []string {
	have := map[string]int{}
	for _, w := range other {
		have[w]++
	}
	var out []string
	for _, w := range list {
		if have[w]--; have[w] < 0 {
			out = append(out, w)
		}
	}
	return out
}

// removedNames returns what the code, tests aside, declared before the change and no longer does, and the files that are gone.
func (f *finder) removedNames() map[string]bool {
	out, bodies := map[string]bool{}, map[string]bool{}
	for _, s := range f.now {
		for _, u := range s.units {
			bodies[u.body] = true
		}
	}
	for _, s := range f.old {
		for _, u := range s.units {
			// A function with another name is still there to be tested.
			if !u.test && !u.helper && !bodies[u.body] {
				out[lastName(u.name)] = true
			}
		}
	}
	for _, s := range f.now {
		for _, u := range s.units {
			if !u.test {
				delete(out, lastName(u.name))
			}
		}
	}
	for _, file := range f.files {
		if s := f.old[file.Old]; file.After == nil && s != nil && isCode(s.lang) && !s.isTest {
			out[stem(file.Old)] = true
		}
	}
	return out
}

// stem is the name of a file without folder and ending.
func stem(name string) string {
	name = name[strings.LastIndex(name, "/")+1:]
	name, _, _ = strings.Cut(name, ".")
	return name
}

// goesWithCode reports whether a test names what is removed in the same change.
func (f *finder) goesWithCode(u unit, removed map[string]bool) bool {
	if removed[strings.TrimSuffix(strings.TrimPrefix(stem(u.file.path), "test_"), "_test")] {
		return true
	}
	for _, word := range words.get().FindAllString(u.bareOf(), -1) {
		if removed[word] {
			return true
		}
	}
	return false
}

// isMerged reports whether all values of a test, and what it calls, are in one test that is new or has grown, such as one
// with a table.
func (f *finder) isMerged(u unit) bool {
	values := literals(u.body)
	if len(values) == 0 {
		return false
	}
	parts := append(values, calls(u.bareOf())...)
	for _, s := range f.now {
		for _, v := range s.units {
			if v.test && len(without(parts, append(literals(v.codeOf()), calls(v.codeOf())...))) <= len(parts)/4 && f.isNew(v) {
				return true
			}
		}
	}
	return false
}

// isNew reports whether a unit is new or longer than before.
func (f *finder) isNew(v unit) bool {
	for _, s := range f.old {
		for _, o := range s.units {
			if o.name == v.name && len(normal(o.codeOf())) >= len(normal(v.codeOf())) {
				return false
			}
		}
	}
	return true
}

// uncollected returns the function that has the body of a test that is gone and is no test, "" for none.
func (f *finder) uncollected(u unit) string {
	for _, s := range f.now {
		for _, v := range s.units {
			if !v.test && (v.body == u.body || lastName(v.name) == lastName(u.name)) {
				return headline(v)
			}
		}
	}
	return ""
}

// patterns of marks, in text without comments and strings.
var (
	skips = sync.OnceValue(func() map[string]*regexp.Regexp {
		script := regexp.MustCompile(`\b(?:it|test|describe|context|suite)(?:\.\w+)*\.(?:skip|todo|fails|failing|skipIf|fixme)\b|\bx(?:it|test|describe|context)\b|\bthis\.skip\(|\b(?:t|ctx|context)\.skip\(`)
		jvm := regexp.MustCompile(`@(?:Disabled\w*|Ignore|Ignored|EnabledIf\w*|EnabledOn\w*|DisabledIf\w*)\b|\bassume(?:True|False|That)\s*\(|\bAssume\.\w+`)
		c := regexp.MustCompile(`\bGTEST_SKIP\b|\bTEST_IGNORE\w*|\bDISABLED_\w+|(?m:^\s*#\s*if\s+0\b)|\bskip\s*\(|\[\s*\.\s*\]`)
		return map[string]*regexp.Regexp{
			"go":         regexp.MustCompile(`\b\w+\.(?:Skip|Skipf|SkipNow)\(`),
			"javascript": script, "typescript": script, "tsx": script,
			"python": regexp.MustCompile(`@(?:pytest\.mark\.|unittest\.|mark\.)?(?:skip\w*|xfail|expectedFailure)\b|\bpytest\.(?:skip|xfail|importorskip)\s*\(|\bpytestmark\s*=.*(?:skip|xfail)|\bself\.skipTest\(|\braise\s+(?:unittest\.)?SkipTest|\bcollect_ignore\w*\b|\b__test__\s*=\s*False`),
			"rust":   regexp.MustCompile(`#\[\s*(?:cfg_attr\s*\([^\]]*)?ignore\b|#\[\s*cfg\s*\(\s*(?:any\s*\(\s*\)|FALSE|feature)`),
			"java":   jvm, "kotlin": jvm,
			"csharp": regexp.MustCompile(`\[\s*(?:Ignore|Explicit)\b|\bSkip\s*=|\bAssert\.(?:Ignore|Inconclusive)\b`),
			"ruby":   regexp.MustCompile(`(?m:^\s*(?:skip|pending)\b)|\bx(?:it|specify|describe|context|scenario)\b|[,(]\s*(?:skip|pending):|:skip\b`),
			"php":    regexp.MustCompile(`\bmarkTest(?:Skipped|Incomplete)\b|->(?:skip|todo)\(|#\[\s*(?:RequiresPhp|Requires)\w*`),
			"swift":  regexp.MustCompile(`\bXCTSkip\w*|\.disabled\(`),
			"c":      c, "cpp": c,
			"bash": regexp.MustCompile(`(?m:^\s*skip\b)|\bstartSkipping\b`),
		}
	})
	focus = pattern{text: `\b(?:it|test|describe|context|suite|specify)(?:\.\w+)*\.only\b|\bf(?:it|describe|context|specify|test|scenario)\b\s*[(\s]|[,(]\s*:focus\b|\bfocus:|->only\(`}
)

// compare compares two versions of a unit.
func (f *finder) compare(u, v unit) {
	if re := skips()[u.file.lang]; re != nil {
		was, is := re.FindAllStringIndex(u.bareOf(), -1), re.FindAllStringIndex(v.bareOf(), -1)
		if len(is) > len(was) && (u.test || u.name == "" && f.hadTests(u)) {
			at := v.start + newMark(u, v, is)
			f.add(criteria.TestSkipped, v.file, at, beforeMark(u, v), lineOf(v.file.code, at))
			return
		}
	}
	if u.test && returnsEarly(v) && !returnsEarly(u) {
		f.add(criteria.TestSkipped, v.file, v.start+lead(v.codeOf()), headline(u), headline(v)+" … return")
		return
	}
	f.compareReached(u, v)
	f.compareAssertions(u, v)
	f.compareRows(u, v)
}

// hadTests reports whether the file of what is beside functions had tests.
func (f *finder) hadTests(u unit) bool {
	s := f.old[u.file.path]
	return s != nil && (slices.ContainsFunc(s.units, func(o unit) bool { return o.test }) || len(s.units) == 0)
}

// newMark returns where the first mark of the new version is whose line the old one does not have.
func newMark(u, v unit, marks [][]int) int {
	for _, m := range marks {
		if !strings.Contains(normal(u.codeOf()), normal(lineOf(v.file.code, v.start+m[0]))) {
			return m[0]
		}
	}
	return marks[0][0]
}

// beforeMark is the line of a test that a mark has changed: its first one, if that is another now.
func beforeMark(u, v unit) string {
	if u.name == "" || headline(u) == headline(v) {
		return ""
	}
	return headline(u)
}

// lineOf returns the line around a byte.
func lineOf(text string, at int) string {
	start := strings.LastIndexByte(text[:at], '\n') + 1
	end := strings.IndexByte(text[at:], '\n')
	if end < 0 {
		return strings.TrimSpace(text[start:])
	}
	return strings.TrimSpace(text[start : at+end])
}

// early matches a return or an exit that begins a body.
var early = pattern{text: `^[^{]*\{\s*(?:return\b\s*(?:;|$|\n|Ok|None|0)|if\s*\(?\s*true\s*\)?\s*\{\s*return)|^(?s:.*?)\bdef\b[^\n]*:\s*\n\s*return\b|^(?:it|test)\([^\n]*\{\s*return\s*;?\s*\n|^@test[^\n]*\{\s*return\b`}

func returnsEarly(u unit) bool { return early.get().MatchString(strings.TrimSpace(u.codeOf())) }

// compareFocus finds marks that make the runner leave out all tests but one.
func (f *finder) compareFocus(old, now *source) {
	if !old.isTest || !now.isTest || !slices.Contains([]string{"javascript", "typescript", "tsx", "ruby", "php"}, now.lang) {
		return
	}
	was, is := focus.get().FindAllStringIndex(old.bare, -1), focus.get().FindAllStringIndex(now.bare, -1)
	if len(is) <= len(was) {
		return
	}
	for _, m := range is {
		if line := lineOf(now.code, m[0]); !strings.Contains(normal(old.code), normal(line)) {
			f.add(criteria.TestFocused, now, m[0], unmarked(old, line), line)
			return
		}
	}
}

// unmarked returns the line of a file that becomes another one by a mark, "" if there is none.
func unmarked(old *source, line string) string {
	name := firstString(line)
	for was := range strings.SplitSeq(old.code, "\n") {
		if name != "" && firstString(was) == name {
			return strings.TrimSpace(was)
		}
	}
	return ""
}

// compareRegistered finds tests that a program still has and no longer starts, where none collects them.
func (f *finder) compareRegistered(old, now *source) {
	if old.lang != "c" && old.lang != "cpp" && old.lang != "bash" {
		return
	}
	for _, u := range old.units {
		name := lastName(u.name)
		if !u.test || !slices.ContainsFunc(now.units, func(v unit) bool { return v.test && v.name == u.name }) {
			continue
		}
		uses := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
		was, is := uses.FindAllStringIndex(old.bare, -1), uses.FindAllStringIndex(now.bare, -1)
		if len(was) > 1 && len(is) == 1 {
			f.add(criteria.TestRemoved, old, was[len(was)-1][0], lineOf(old.code, was[len(was)-1][0]), "")
		}
	}
}

// systems are what the name of a Go file may end with, so that it is built there only.
var systems = pattern{text: `_(?:windows|darwin|freebsd|netbsd|openbsd|plan9|solaris|aix|js|wasm|arm|arm64|386|riscv64|s390x|ppc64le)(?:_\w+)?_test\.go$`}

// buildTag matches the line of a Go file that says when it is built.
var buildTag = pattern{text: `(?m)^//(?:go:build| \+build)\b.*$`}

// compareTags finds files of tests that are built less often.
func (f *finder) compareTags(file File, old, now *source) {
	if old.lang != "go" || !old.isTest {
		return
	}
	was, is := buildTag.get().FindString(old.text), buildTag.get().FindString(now.text)
	switch at := buildTag.get().FindStringIndex(now.text); {
	case is != "" && is != was:
		f.add(criteria.BuildTagAdded, now, at[0], was, is)
	case systems.get().MatchString(file.Path) && !systems.get().MatchString(file.Old):
		f.add(criteria.BuildTagAdded, now, 0, file.Old, file.Path)
	}
}
