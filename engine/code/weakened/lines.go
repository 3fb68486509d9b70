package weakened

import (
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"chant/engine/evidence/criteria"
)

// line is a line of a text, and the key of YAML that it is below.
type line struct {
	at    int // the byte where it begins
	text  string
	above string
}

// linesOf returns the lines of a text that are neither empty nor comments.
func linesOf(text string) []line {
	var out []line
	at := 0
	type level struct {
		indent int
		key    string
	}
	var levels []level
	for raw := range strings.Lines(text) {
		trimmed := strings.TrimSpace(raw)
		start := at
		at += len(raw)
		if trimmed == "" || isComment(trimmed) {
			continue
		}
		indent := len(raw) - len(strings.TrimLeft(raw, " \t"))
		for len(levels) > 0 && levels[len(levels)-1].indent >= indent && !(strings.HasPrefix(trimmed, "- ") && levels[len(levels)-1].indent == indent) {
			levels = levels[:len(levels)-1]
		}
		l := line{at: start, text: trimmed}
		if len(levels) > 0 {
			l.above = levels[len(levels)-1].key
		}
		if strings.HasPrefix(trimmed, "[") && strings.HasSuffix(trimmed, "]") && !strings.Contains(trimmed, `"`) {
			levels = []level{{-1, trimmed}} // a section of INI or TOML
		} else if strings.HasSuffix(trimmed, ":") || strings.HasSuffix(trimmed, "{") || strings.HasSuffix(trimmed, "[") {
			levels = append(levels, level{indent, trimmed})
		}
		out = append(out, l)
	}
	return out
}

// isComment reports whether a line of settings or of a script is a comment.
func isComment(trimmed string) bool {
	return strings.HasPrefix(trimmed, "#") && !strings.HasPrefix(trimmed, "#[") || strings.HasPrefix(trimmed, "//") && !strings.HasPrefix(trimmed, "//go:") ||
		strings.HasPrefix(trimmed, "<!--") || strings.HasPrefix(trimmed, "; ")
}

// changedLines returns the lines of a text that another one does not have, wherever they are.
func changedLines(text, other string) []line {
	have := map[string]int{}
	for _, l := range linesOf(other) {
		have[bareLine(l.text)]++
	}
	var out []line
	for _, l := range linesOf(text) {
		key := bareLine(l.text)
		if have[key]--; have[key] < 0 {
			out = append(out, l)
		}
	}
	return out
}

// bareLine is a line without layout and comma at its end.
func bareLine(text string) string {
	return strings.TrimSuffix(strings.Join(strings.Fields(strings.ReplaceAll(text, "'", `"`)), " "), ",")
}

// pair is a line before and after a change; either may be empty.
type pair struct{ was, is line }

// maxAlike limits how many pairs of lines are compared word by word; more are paired by their keys alone.
const maxAlike = 250_000

// pairs compares two texts line by line: what has changed of a line, what is gone, and what is new.
func pairs(before, after string) []pair {
	gone, added := changedLines(before, after), changedLines(after, before)
	byWords := len(gone)*len(added) <= maxAlike
	wordsOf := func(lines []line) (out [][]string) {
		for _, l := range lines {
			out = append(out, words.get().FindAllString(l.text, -1))
		}
		return out
	}
	var left, right [][]string
	if byWords {
		left, right = wordsOf(gone), wordsOf(added)
	}
	// most returns which of some added lines is most like a gone one, -1 for none.
	most := func(g int, among []int, least float64) int {
		at := -1
		for i, a := range among {
			if !byWords {
				return i
			}
			if l := likeness(left[g], right[a]); l > least {
				least, at = l, i
			}
		}
		return at
	}
	keys := map[string][]int{}
	for a, l := range added {
		keys[key(l.text)] = append(keys[key(l.text)], a)
	}
	out := make([]pair, len(gone))
	taken := make([]bool, len(added))
	var unpaired []int
	for g, l := range gone {
		out[g].was = l
		same := keys[key(l.text)]
		at := most(g, same, -1)
		if at < 0 {
			unpaired = append(unpaired, g)
			continue
		}
		out[g].is, taken[same[at]] = added[same[at]], true
		keys[key(l.text)] = slices.Delete(same, at, at+1)
	}
	var rest []int
	for a := range added {
		if !taken[a] {
			rest = append(rest, a)
		}
	}
	for _, g := range unpaired {
		if !byWords {
			break
		}
		if at := most(g, rest, 0.45); at >= 0 {
			out[g].is = added[rest[at]]
			rest = slices.Delete(rest, at, at+1)
		}
	}
	for _, a := range rest {
		out = append(out, pair{is: added[a]})
	}
	return out
}

// key is a line without its numbers and what follows a colon or an equals sign.
func key(text string) string {
	if at := strings.IndexAny(text, ":="); at > 0 && at < len(text)-1 {
		return strings.TrimSpace(text[:at])
	}
	return numbers.get().ReplaceAllString(text, "#")
}

var numbers = pattern{text: `\d+(?:\.\d+)*(?:ms|[smh]\b)?`}

// group is what files that steer tests are for.
type group uint8

const (
	plain group = iota
	tests
	settings // of runners, linters and coverage
	mixed    // settings among others, such as dependencies
	scripts  // of package.json
	recipes  // of make
	ci
	hooks
	script // that a criterion or a runner starts
	modules
)

// groups are patterns of paths; the first that matches counts.
var groups = sync.OnceValue(func() []struct {
	of group
	re *regexp.Regexp
} {
	return []struct {
		of group
		re *regexp.Regexp
	}{
		{ci, regexp.MustCompile(`(?:^|/)(?:\.github/(?:workflows|actions)/|\.gitlab-ci[^/]*\.ya?ml$|\.circleci/|azure-pipelines[^/]*\.ya?ml$|Jenkinsfile[^/]*$|\.travis\.yml$|\.drone\.yml$|bitbucket-pipelines\.yml$|\.buildkite/|\.woodpecker|\.ci/|\.cirrus\.yml$|appveyor\.yml$)`)},
		{hooks, regexp.MustCompile(`(?:^|/)(?:\.husky/|\.githooks/|\.pre-commit-config\.ya?ml$|\.?lefthook(?:-local)?\.ya?ml$|\.lintstagedrc[^/]*$|\.overcommit\.yml$)`)},
		{settings, regexp.MustCompile(`(?:^|/)(?:pytest\.ini|conftest\.py|tox\.ini|noxfile\.py|\.coveragerc|(?:jest|vitest|playwright|cypress|ava|wdio|karma|codecept|stryker)[\w.-]*\.(?:config|conf|setup|workspace)\.\w+|jest\.(?:config|setup)[\w.]*|vitest[\w.-]*\.\w+|karma\.conf\.\w+|cypress\.json|\.mocharc[\w.]*|\.nycrc[\w.]*|\.c8rc[\w.]*|\.golangci\.\w+|\.eslintrc[\w.]*|\.eslintignore|eslint\.config\.\w+|\.?ruff\.toml|\.flake8|\.pylintrc|mypy\.ini|biome\.jsonc?|phpunit[\w.]*\.xml(?:\.dist)?|phpstan[\w.-]*\.neon(?:\.dist)?|psalm\.xml|\.rspec|\.proverc|\.rubocop[\w.]*\.ya?ml|\.simplecov|\.?codecov\.ya?ml|sonar-project\.properties|\.?clippy\.toml|nextest\.toml|checkstyle[\w.-]*\.xml|\.swiftlint\.ya?ml|\.clang-tidy)$`)},
		{scripts, regexp.MustCompile(`(?:^|/)(?:package|composer)\.json$`)},
		{recipes, regexp.MustCompile(`(?:^|/)(?:GNUm|M|m)akefile$|\.mk$|(?:^|/)[Jj]ustfile$|(?:^|/)Taskfile\.ya?ml$`)},
		{modules, regexp.MustCompile(`(?:^|/)go\.(?:mod|work)$`)},
		{mixed, regexp.MustCompile(`(?:^|/)(?:pyproject\.toml|setup\.cfg|setup\.py|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|CMakeLists\.txt|tsconfig[\w.-]*\.json|deno\.jsonc?|[\w.-]+\.csproj|Directory\.Build\.props|Rakefile|Gemfile|mix\.exs)$`)},
	}
})

// groupOfPath says what a file is for by its path alone.
func groupOfPath(name string) group {
	for _, g := range groups() {
		if g.re.MatchString(name) {
			return g.of
		}
	}
	return plain
}

// groupOf says what a file is for.
func (f *finder) groupOf(name string) group {
	if of := groupOfPath(name); of != plain {
		return of
	}
	s := f.now[name]
	if s == nil {
		s = f.old[name]
	}
	named := f.names[path.Clean(name)] || f.names[path.Base(name)]
	switch {
	case s != nil && s.isTest && s.lang != "bash":
		return tests
	case s != nil && s.lang == "bash" && (named || s.isTest || startsTests.get().MatchString(path.Base(name))):
		return script
	case named && s != nil && isCode(s.lang):
		return script
	}
	return plain
}

var (
	startsTests = pattern{text: `(?i)test|check|verify|lint|^ci|coverage`}
	// runsTests matches commands that check something.
	runsTests = pattern{text: `(?i)\b(?:go (?:test|vet|build)|pytest|unittest|tox|nox|npm (?:run |-?t|ci)|npx|yarn|pnpm|bun test|deno test|jest|vitest|mocha|cargo|make|ctest|rspec|prove|rake|phpunit|pest|mvn|mvnw|gradlew?|dotnet test|bats|golangci-lint|staticcheck|eslint|ruff|flake8|mypy|tsc|rubocop|phpstan|shellcheck|swift test|\S*test\S*|\S*check\S*|\S*lint\S*|\S*verify\S*)(?:\s|$|["';|&])`}
	// ignores matches what lets a step succeed although its command failed.
	ignores = pattern{text: `\|\|\s*(?:true|:|exit 0|echo\b|/bin/true)|;\s*(?:true|exit 0)\s*["',]*$|(?i:continue-on-error:\s*true|allow_failure:\s*true|ignore_?errors?\s*[:=]\s*true|--exit-zero\b|--passWithNoTests\b|soft_fail\s*:\s*true|testFailureIgnore>true|failOnError\s*[:=]\s*false|ignoreFailures\s*=\s*true)|\bset \+e\b|\bset \+o (?:errexit|pipefail)\b|^exit 0$|^-\s?(?:go|py\S*|npm|cargo|make|\$)\S*\s`}
	// weak matches additions to settings that leave something out.
	weak = pattern{text: `(?i)skip|ignore|exclu|deselect|\bomit\b|disable|xfail|allow_failure|no-?verify|-short\b|\s-run\b|\s-k[\s=]|-m ["']?not\b|if:\s*["']?(?:false|\$\{\{\s*false)|when:\s*(?:manual|never)|maxfail|modifyitems|makereport|sessionfinish|runtest_|exitstatus|os\._exit|collect_ignore|testMatch|testPath|testRegex|"off"|:\s*off\b|'off'|\bwarn|set \+e|nosec|noqa|soft_fail|informational:\s*true|stages:\s*\[?\s*manual|-D(?:skip|maven\.test)|only:\s*\[|--lf\b|:\s*false\b|=\s*false\b|--no-cov|pragma: no cover`}
	// weakCI matches additions to CI files and hooks that leave something out.
	weakCI = pattern{text: `(?i)\bif:\s*["']?(?:false|\$\{\{\s*false)|paths-ignore|branches-ignore|when:\s*(?:manual|never)|--no-verify|\bSKIP=|-DskipTests|stages:\s*\[?\s*manual|\bexclude:|--deselect|\s-short\b`}
	// dependency matches lines whose version may change.
	dependency = pattern{text: `(?i)^-?\s*["']?(?:uses|image|rev|version|[\w-]*-version|tag|FROM|container|ref|orb|cache-key|key)["']?\s*[:=]|@v?\d|@[0-9a-f]{40}|^["']?[\w./@-]+["']?\s*[:=]{1,2}\s*["'{\[]?\s*(?:version\s*=\s*)?["']?[~^>=<v]*\d+\.\d|<version>|[=~><]=\s*\d|["'][\w:.-]+:\d[\w.-]*["']`}
	threshold  = pattern{text: `(?i)fail[_-]?under|threshold|\b(?:branches|functions|lines|statements)\b|coverage|\bminimum\b|\bmin[_-]|min-?score|mutation|\btarget:|\b(?:high|low|break)\b|cov[-_]`}
	// ceiling matches numbers of which a higher one allows more.
	ceiling  = pattern{text: `(?i)max[-_]?(?:warnings|complexity|len|length|lines|statements|depth|params|nesting|branches|issues)|complexity|\bthreshold:.*%?$|min-complexity|tolerance|allowed[-_]?failures`}
	retries  = pattern{text: `(?i)\b(?:retr(?:y|ies)(?:Times)?|reruns?|max[-_]?(?:attempts|retries)|rerunFailingTestsCount|flaky|RetryingTest|retry_max|--reruns|max_retries)\b|\.retries\(|retryTimes`}
	timeouts = pattern{text: `(?i)time[-_]?out|deadline|time\.(?:Second|Minute|Millisecond)|waitFor|^\}\s*,\s*\d+\s*\)`}
)

// compareLines compares a file line by line, by what it is for.
func (f *finder) compareLines(file File) {
	of := f.groupOf(file.Path)
	if of == plain && file.After == nil {
		of = f.groupOf(file.Old)
	}
	before, after := string(file.Before), string(file.After)
	switch {
	case of == plain, file.kept, isGenerated(file):
		return
	case file.Before == nil:
		f.compareNew(of, file)
		return
	case file.After == nil || of != f.groupOf(file.Old):
		f.compareGone(of, file)
		return
	case file.opaque:
		// Only that it was changed is known.
		if kind := kindOf(of); kind != "" {
			f.addAt(kind, file.Path, 1, "", "")
		}
		return
	}
	if s, t := f.old[file.Old], f.now[file.Path]; of == tests || isCode(t.lang) && of != script {
		before, after = s.code, t.code
	}
	switch of {
	case scripts:
		f.compareScripts(file)
	case recipes:
		before, after = f.recipes(before), f.recipes(after)
	case mixed:
		before, after = aboutTests(before), aboutTests(after)
	case modules:
		before, after = replaces(before), replaces(after)
	}
	for _, p := range pairs(before, after) {
		f.judge(of, file, before, after, p)
	}
}

// kindOf is the kind of a change that is known only by its file.
func kindOf(of group) criteria.WeakenedKind {
	switch of {
	case ci:
		return criteria.CIChanged
	case hooks:
		return criteria.HookChanged
	case settings, mixed, recipes, scripts, script, modules:
		return criteria.TestConfigChanged
	}
	return ""
}

// compareNew looks at a new file: it weakens something only by what it leaves out.
func (f *finder) compareNew(of group, file File) {
	if of != settings {
		return
	}
	text := string(file.After)
	if s := f.now[file.Path]; isCode(s.lang) {
		text = s.code
	}
	for _, l := range linesOf(text) {
		if leavesOut.get().MatchString(l.text) {
			f.addAt(criteria.TestConfigChanged, file.Path, lineAt(text, l.at), "", l.text)
			return
		}
	}
}

// leavesOut matches what keeps tests from being collected or counted.
var leavesOut = pattern{text: `(?i)modifyitems|makereport|sessionfinish|exitstatus|os\._exit|collect_ignore|--deselect|--ignore|-k ["']?not|testPathIgnore|pytest_ignore_collect`}

// compareGone looks at a file that is gone, or no longer where its program reads it.
func (f *finder) compareGone(of group, file File) {
	if kind := kindOf(of); kind != "" && of != mixed && of != modules && of != script {
		f.addAt(kind, file.Old, 1, path.Base(file.Old), "")
	}
}

// lineAt is the number of the line of a byte.
func lineAt(text string, at int) int { return 1 + strings.Count(text[:at], "\n") }

// judge adds a finding for a line that was changed.
func (f *finder) judge(of group, file File, before, after string, p pair) {
	was, is := p.was.text, p.is.text
	add := func(kind criteria.WeakenedKind) {
		if is == "" {
			f.addAt(kind, file.Old, lineAt(before, p.was.at), was, "")
			return
		}
		f.addAt(kind, file.Path, lineAt(after, p.is.at), was, is)
	}
	raised := comparesNumbers(was, is)
	context := p.is.above + " " + is
	switch {
	case is != "" && ignores.get().MatchString(is) && !ignores.get().MatchString(was) && f.mayIgnore(of, was, is, after):
		add(criteria.FailureIgnored)
	case is == "" && stops.get().MatchString(was) && (of == script || of == ci || of == hooks || of == recipes):
		add(criteria.FailureIgnored)
	case retries.get().MatchString(context) && (raised > 0 || was == "" && addsNumber(is)):
		add(criteria.RetriesRaised)
	case timeouts.get().MatchString(is) && raised > 0, was == "" && defaultTimeout(is):
		add(criteria.TimeoutRaised)
	case of == tests:
	case was != "" && ceiling.get().MatchString(was) && raised > 0, was != "" && threshold.get().MatchString(p.was.above+" "+was) && !ceiling.get().MatchString(was) && raised < 0:
		add(criteria.ThresholdLowered)
	case is == "" && threshold.get().MatchString(p.was.above+" "+was) && numbers.get().MatchString(was) && of != ci:
		add(criteria.ThresholdLowered)
	case raised != 0 && (threshold.get().MatchString(p.was.above+" "+was) || timeouts.get().MatchString(was) || retries.get().MatchString(was) || ceiling.get().MatchString(was)):
		// The number has become stricter.
	default:
		f.judgeKind(of, p, context, add)
	}
}

// stops matches what makes a script end at the first failure.
var stops = pattern{text: `^set -\w*e|^set -o errexit|^#!.*\s-\w*e`}

// judgeKind adds a finding of the kind that the file has.
func (f *finder) judgeKind(of group, p pair, context string, add func(criteria.WeakenedKind)) {
	was, is := p.was.text, p.is.text
	lost := was != "" && !grows(was, is) && !isUpdate(was, is) && !isStricter(was, is)
	switch of {
	case settings:
		if lost && structural.get().MatchString(was) && is == "" {
			return
		}
		if lost || was == "" && weak.get().MatchString(context) || was != "" && weak.get().MatchString(is) && !weak.get().MatchString(was) {
			add(criteria.TestConfigChanged)
		}
	case mixed, scripts:
		if was != "" && lost && of == mixed || weak.get().MatchString(context) && !weak.get().MatchString(was) && of == mixed {
			add(criteria.TestConfigChanged)
		}
	case recipes:
		if lost || weak.get().MatchString(is) && !weak.get().MatchString(was) || makeOff.get().MatchString(is) {
			add(criteria.TestConfigChanged)
		}
	case modules:
		if is != "" {
			add(criteria.TestConfigChanged)
		}
	case script:
		if lost && (runsTests.get().MatchString(was) || asserts()["bash"].MatchString(was)) && !f.comparesAsTest(p) {
			add(criteria.TestConfigChanged)
		}
	case ci:
		if lost && !structural.get().MatchString(was) || weakCI.get().MatchString(context) && !weakCI.get().MatchString(was) {
			add(criteria.CIChanged)
		}
	case hooks:
		if lost && !structural.get().MatchString(was) || weakCI.get().MatchString(context) && !weakCI.get().MatchString(was) {
			add(criteria.HookChanged)
		}
	}
}

// comparesAsTest reports whether a line of a script was compared as part of a test.
func (f *finder) comparesAsTest(p pair) bool {
	return slices.ContainsFunc(f.found, func(w criteria.Weakened) bool { return w.Before == shown(p.was.text) })
}

// structural matches lines that only open or close something, or name it.
var structural = pattern{text: `^[\[\](){};,]*$|^(?:-\s*)?name:`}

// mayIgnore reports whether a line that ignores failures is about a check.
func (f *finder) mayIgnore(of group, was, is, after string) bool {
	if of == tests {
		return false
	}
	if explicit.get().MatchString(is) {
		return true
	}
	// An exit at the end of a script is what it does anyway.
	if is == "exit 0" {
		return was == "" && of != ci && !strings.HasSuffix(strings.TrimSpace(after), "exit 0")
	}
	return runsTests.get().MatchString(is)
}

// explicit matches what ignores the failures of all that follows.
var explicit = pattern{text: `(?i)continue-on-error|allow_failure|set \+|--exit-zero|passWithNoTests|soft_fail|testFailureIgnore|failOnError|ignoreFailures|ignore_?errors?|^-\s?(?:go|py|npm|cargo|make|\$)`}

// grows reports whether a line has all words that it had, and nothing new that leaves something out.
func grows(was, is string) bool {
	if is == "" {
		return false
	}
	more := without(words.get().FindAllString(is, -1), words.get().FindAllString(was, -1))
	return len(without(words.get().FindAllString(was, -1), words.get().FindAllString(is, -1))) == 0 &&
		!weak.get().MatchString(" "+strings.Join(more, " ")+" ") && (!weak.get().MatchString(is) || weak.get().MatchString(was))
}

// isUpdate reports whether only the version of a dependency differs.
func isUpdate(was, is string) bool {
	plain := func(text string) string { return versions.get().ReplaceAllString(text, "#") }
	return is != "" && dependency.get().MatchString(was) && plain(was) == plain(is)
}

var versions = pattern{text: `\b[0-9a-f]{40}\b|[~^>=<]*\bv?\d+(?:\.[\dx*]+)*(?:[-+][\w.]+)?\b`}

// isStricter reports whether a line has become stricter: a rule is an error now, or a check is on.
func isStricter(was, is string) bool {
	for _, step := range [][2]string{{`"?'?\b(?:off|warn|0|1|warning)\b"?'?`, `"?'?\b(?:error|2)\b"?'?`}, {`\bfalse\b`, `\btrue\b`}} {
		low, high := regexp.MustCompile(step[0]), regexp.MustCompile(step[1])
		if is != "" && low.MatchString(was) && high.MatchString(is) && low.ReplaceAllString(was, "#") == high.ReplaceAllString(is, "#") && !weak.get().MatchString(strings.SplitN(was, ":", 2)[0]) {
			return true
		}
	}
	return false
}

// comparesNumbers returns 1 if a line is as before but for a number that is higher, -1 if it is lower, else 0.
func comparesNumbers(was, is string) int {
	left, right := numbers.get().FindAllString(was, -1), numbers.get().FindAllString(is, -1)
	if len(left) != len(right) || numbers.get().ReplaceAllString(was, "#") != numbers.get().ReplaceAllString(is, "#") {
		// 30s may become time.Minute, which is not compared.
		return 0
	}
	for i := range left {
		if a, b := amount(left[i]), amount(right[i]); a != b {
			if a < b {
				return 1
			}
			return -1
		}
	}
	return 0
}

// amount is the value of a number, in seconds if it is a time.
func amount(text string) float64 {
	if d, err := time.ParseDuration(text); err == nil {
		return d.Seconds()
	}
	n, _ := strconv.ParseFloat(text, 64) //nolint:errcheck // a version is no number, and is compared elsewhere
	return n
}

// addsNumber reports whether a new line sets something to more than 0.
func addsNumber(is string) bool {
	return slices.ContainsFunc(numbers.get().FindAllString(is, -1), func(n string) bool { return amount(n) > 0 })
}

// defaultTimeout reports whether a new line raises the time that a runner gives a test.
func defaultTimeout(is string) bool {
	m := ownTimeout.get().FindStringSubmatch(is)
	return m != nil && amount(m[1]) > 5000
}

var ownTimeout = pattern{text: `\b(?:jest\.setTimeout\(|this\.timeout\(|testTimeout\s*[:=]\s*|hookTimeout\s*[:=]\s*)(\d+)`}

// compareScripts compares the scripts of package.json that check something.
func (f *finder) compareScripts(file File) {
	var was, is struct{ Scripts map[string]json.RawMessage }
	// A file with faults is compared by its lines alone.
	if json.Unmarshal(file.Before, &was) != nil || json.Unmarshal(file.After, &is) != nil {
		return
	}
	for name, before := range was.Scripts {
		after := is.Scripts[name]
		if string(before) == string(after) || !checking.get().MatchString(name) && !f.names[name] {
			continue
		}
		at := strings.Index(string(file.After), `"`+name+`"`)
		line, kind := 1, criteria.TestConfigChanged
		if at >= 0 {
			line = lineAt(string(file.After), at)
		}
		// What ignores failures is found by lines.
		if ignores.get().MatchString(string(after)) && !ignores.get().MatchString(string(before)) || grows(string(before), string(after)) {
			continue
		}
		f.addAt(kind, file.Path, line, string(before), string(after))
	}
}

// checking matches the names of scripts and targets that check something.
var checking = pattern{text: `(?i)^(?:pre|post)?(?:\w+[-_:])?(?:test|tests|check|lint|verify|ci|coverage|cover|e2e|unit|typecheck|vet|validate)(?:$|[-_:])`}

// makeOff matches lines by which make runs nothing, or does not stop where something fails.
var makeOff = pattern{text: `^(?:[\w.-]+\s*:\s*)?(?:export\s+|override\s+)*(?:SHELL\s*[:?]?=\s*(?:\S*/)?(?:true|echo|:)\s*$|(?:GNU)?MAKEFLAGS\s*[:?+]?=(?:.*\s)?(?:-[a-z]*[intq][a-z]*|--(?:dry-run|just-print|recon|ignore-errors|touch|question))(?:\s|$))|^\.IGNORE\b`}

// recipes keeps the targets of a Makefile that check something, and what switches all off; all other lines are blanked.
func (f *finder) recipes(text string) string {
	out := []byte(text)
	inside := false
	at := 0
	for raw := range strings.Lines(text) {
		if name, _, found := strings.Cut(raw, ":"); found && !strings.HasPrefix(raw, "\t") && !strings.HasPrefix(raw, " ") && !strings.HasPrefix(raw, ".") {
			name = strings.TrimSpace(name)
			inside = checking.get().MatchString(name) || f.names[name]
		}
		if !inside && !makeOff.get().MatchString(raw) {
			erase(out, at, at+len(raw))
		}
		at += len(raw)
	}
	return string(out)
}

// aboutTests keeps the lines of a file of settings that are about tests.
func aboutTests(text string) string {
	out := []byte(text)
	for _, l := range linesOf(text) {
		if !section.get().MatchString(l.above) && !setting.get().MatchString(l.text) {
			erase(out, l.at, l.at+len(lineAfter(text, l.at)))
		}
	}
	return string(out)
}

var (
	section = pattern{text: `(?i)^\[.*(?:pytest|coverage|ruff|mypy|flake8|pylint|testenv|lints|nextest)`}
	setting = pattern{text: `(?i)skip|coverage|jacoco|surefire|fail_?under|failOn|ignore|retr|timeout|"strict|noImplicit|noUnused|addopts|filterwarnings|enable_testing|add_test|WILL_FAIL|DISABLED|test\s*=\s*false|harness|exclude|warningsAsErrors|TreatWarnings|deny|forbid`}
)

// replaces keeps the lines of go.mod that replace modules.
func replaces(text string) string {
	out := []byte(text)
	at := 0
	for raw := range strings.Lines(text) {
		if !strings.Contains(raw, "=>") {
			erase(out, at, at+len(raw))
		}
		at += len(raw)
	}
	return string(out)
}

// golden matches files with which tests compare results, and those of which only many together mean something.
var (
	golden   = pattern{text: `(?i)(?:^|/)(?:__snapshots__|snapshots|golden|goldens|expected)/|\.(?:golden|snap|approved(?:\.\w+)?|expected(?:\.\w+)?|gold)$|[._-](?:golden|expected|want)\.\w+$`}
	recorded = pattern{text: `(?i)(?:^|/)(?:testdata|fixtures|__fixtures__|cassettes)/`}
)

// manyGolden is how many rewritten files are more than what one expectation needs.
const manyGolden = 3

// compareGolden finds expected results that follow the code.
func (f *finder) compareGolden() {
	if !f.codeChanged() {
		return
	}
	var all []pair
	var files []File
	for _, file := range f.files {
		if file.kept || file.Before == nil || file.After == nil || !golden.get().MatchString(file.Path) && !recorded.get().MatchString(file.Path) {
			continue
		}
		gone := changedLines(string(file.Before), string(file.After))
		added := changedLines(string(file.After), string(file.Before))
		// A file that only grows expects what it did.
		if len(gone) == 0 && !file.opaque {
			continue
		}
		var p pair
		if len(gone) > 0 {
			p.was = gone[0]
		}
		if len(added) > 0 {
			p.is = added[0]
		}
		all, files = append(all, p), append(files, file)
	}
	for i, file := range files {
		total, changed := len(linesOf(string(file.Before))), len(changedLines(string(file.Before), string(file.After)))
		kind := criteria.ExpectationChanged
		switch {
		case len(files) >= manyGolden, golden.get().MatchString(file.Path) && (changed > 5 && changed*2 > total || file.opaque):
			kind = criteria.GoldenRewritten
		case !golden.get().MatchString(file.Path):
			continue
		}
		line := 1
		if all[i].is.text != "" {
			line = lineAt(string(file.After), all[i].is.at)
		}
		f.addAt(kind, file.Path, line, all[i].was.text, all[i].is.text)
	}
}
