package e2e

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"chant/engine/enginetest"

	"github.com/alecthomas/assert/v2"
)

// TestHints_lead follows every next step that chant names, in many states: those of the
// errors of commands, and those of status and diagnose. Each is a command that can be run,
// status and diagnose name the same one, and none leads back to a state in which it was
// followed before.
func TestHints_lead(t *testing.T) {
	t.Parallel()
	states := hintStates()
	var known sync.Map // the commands that exist: every walker uses the same chant
	assert.True(t, len(states) >= 60, "only %d states", len(states))
	for _, state := range states {
		t.Run(state.name, func(t *testing.T) {
			t.Parallel()
			oneOf(t, 7)
			w := newWalker(t, state)
			w.known = &known
			hints := w.hints()
			slices.SortStableFunc(hints, func(a, b string) int { // those that change nothing first
				return cmp.Compare(fmt.Sprint(!looks(a)), fmt.Sprint(!looks(b)))
			})
			w.keep()
			for i, hint := range hints {
				if i > 0 && !looks(hints[i-1]) {
					w.restore() // each starts in the state in which it was named
				}
				w.seen = map[string]bool{}
				w.follow(hint)
			}
		})
	}
}

// hintState is a state of a repository and the commands that meet it.
type hintState struct {
	name  string
	setup string   // a POSIX shell script in a repository with a project
	meets []string // command lines
	bare  bool     // no repository, no project: the script makes what there is
	open  bool     // its agents leave files in HOME, so they work without a sandbox
}

// walker is a person who does what chant says.
type walker struct {
	t     *testing.T
	state hintState
	home  string // the repository, its origin and the programs that the person has
	dir   string // the repository
	env   []string
	known *sync.Map
	seen  map[string]bool // a state and the step that was taken there
	// The diagnoses of specs since something was last done. To diagnose a spec changes nothing.
	diagnoses map[string]diagnosis
}

// hinted is the project in which most states are made.
var hinted enginetest.Fixture

func newWalker(t *testing.T, state hintState) *walker {
	t.Helper()
	home := filepath.Join(t.TempDir(), "home")
	w := &walker{t: t, state: state, home: home, dir: filepath.Join(home, "repo")}
	bin := filepath.Join(home, "bin")
	for _, dir := range []string{w.dir, bin} {
		assert.NoError(t, os.MkdirAll(dir, 0o755))
	}
	for name, text := range map[string]string{"editor": personEdits, "vi": personEdits, "agent.sh": scriptedAgent} {
		assert.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755))
	}
	w.env = append(append(os.Environ(), environment(home)...), "EDITOR=editor", "VISUAL=", "XDG_CACHE_HOME="+filepath.Join(home, "cache"),
		"PATH="+strings.Join([]string{bin, filepath.Dir(chantBinary(t)), os.Getenv("PATH")}, string(filepath.ListSeparator)))
	if state.open {
		w.env = append(w.env, "CHANT_SANDBOX=off")
	}
	if !state.bare {
		hinted.Copy(t, w.dir, func(dir string) {
			r := execute(t, dir, w.env, "sh", "-c", inProject)
			assert.Equal(t, 0, r.code, "a project: exit %s %s", r.out, r.stderr)
		})
	}
	r := w.sh(specFunctions + state.setup)
	assert.Equal(t, 0, r.code, "set-up: exit %s %s", r.out, r.stderr)
	return w
}

// keep copies all that the walker has, for restore.
func (w *walker) keep() { w.copy(w.home, w.home+".kept") }

// restore puts everything back at its paths as it was when it was kept.
func (w *walker) restore() {
	w.t.Helper()
	w.diagnoses = nil
	if err := os.RemoveAll(w.home); err != nil {
		w.t.Fatal(err)
	}
	w.copy(w.home+".kept", w.home)
}

func (w *walker) copy(from, to string) {
	w.t.Helper()
	if r := execute(w.t, filepath.Dir(from), w.env, "cp", "-a", from, to); r.code != 0 {
		w.t.Fatalf("cp: %s", r.stderr)
	}
}

// sh runs a command line, which may change something.
func (w *walker) sh(line string) ran {
	w.t.Helper()
	w.diagnoses = nil
	return w.ask(line)
}

// ask runs a command line that changes nothing.
func (w *walker) ask(line string) ran {
	w.t.Helper()
	return execute(w.t, w.dir, w.env, "timeout", "-k", "5", "25", "sh", "-c", line)
}

// hints runs the commands of the state, status and diagnose, and lists the steps they name.
func (w *walker) hints() []string {
	w.t.Helper()
	var all []string
	for _, line := range w.state.meets {
		r := w.sh("chant " + line)
		all = append(all, w.named(r)...)
		if r.code == 1 {
			w.t.Errorf("chant %s: an internal error\n%s", line, r.stderr)
		}
	}
	all = append(all, w.agreed()...)
	slices.Sort(all)
	return slices.Compact(all)
}

// agreed lists what status and diagnose name, which has to be the same for each spec.
func (w *walker) agreed() []string {
	w.t.Helper()
	var status struct {
		Runs, Open []struct {
			ID   string
			Next struct{ Command string }
		}
	}
	r := w.ask("chant status --json")
	if r.code != 0 {
		return w.named(w.sh("chant status"))
	}
	if err := json.Unmarshal([]byte(r.out), &status); err != nil {
		w.t.Fatal(err)
	}
	var all []string
	for _, s := range append(status.Runs, status.Open...) {
		d := w.diagnose(s.ID)
		if d.Suggestion != s.Next.Command {
			w.t.Errorf("%s: status says %q, diagnose says %q (%s)", s.ID, s.Next.Command, d.Suggestion, d.Diagnosis)
		}
		all = append(all, s.Next.Command)
	}
	return all
}

type diagnosis struct{ Status, Diagnosis, Suggestion string }

func (w *walker) diagnose(id string) (d diagnosis) {
	w.t.Helper()
	if d, done := w.diagnoses[id]; done {
		return d
	}
	r := w.ask("chant diagnose '" + id + "' --json")
	if r.code == 0 {
		if err := json.Unmarshal([]byte(r.out), &d); err != nil {
			w.t.Fatal(err)
		}
	}
	if w.diagnoses == nil {
		w.diagnoses = map[string]diagnosis{}
	}
	w.diagnoses[id] = d
	return d
}

// named are the steps that the output of a command names.
func (w *walker) named(r ran) []string {
	var all []string
	for _, found := range regexp.MustCompile(`(?m)^ *(?:hint|next): (.+)$`).FindAllStringSubmatch(r.out+r.stderr, -1) {
		all = append(all, found[1])
	}
	return all
}

// looks reports whether a step only shows something: it is for the person to read and decide.
func looks(hint string) bool {
	return regexp.MustCompile(`^(chant (log|show|list|status|guide|diagnose|lint|deps|config|verify|[a-z -]*--help)\b|git (-C \S+ )?(status|log|shortlog|--version)\b|ls )|--follow|--help$`).MatchString(hint)
}

// follow takes a step and the ones that follow from it, to the end.
func (w *walker) follow(hint string) {
	w.t.Helper()
	var path []string
	for range 12 {
		w.runnable(hint)
		if ends := looks(hint) || strings.HasPrefix(hint, "chant takeover") || strings.HasPrefix(hint, "git worktree add "); !ends {
			at := w.fingerprint() + " " + hint
			if w.seen[at] {
				w.t.Errorf("a loop: %q\nin %s", append(path, hint), at)
				return
			}
			w.seen[at] = true
		}
		path = append(path, hint)
		if strings.Contains(hint, "--follow") || strings.HasPrefix(hint, "chant takeover") {
			return
		}
		if strings.HasPrefix(hint, "git worktree add ") { // it leads elsewhere
			if r := w.sh(hint + " && cd ../work && git status"); r.code != 0 {
				w.t.Errorf("%q: %s", path, r.stderr)
			}
			return
		}
		r := w.sh(hint)
		if r.code == 124 {
			w.t.Errorf("%q does not end", path)
			return
		}
		if looks(hint) {
			if r.code != 0 && len(w.named(r)) == 0 {
				w.t.Errorf("%q exits with %d and names no step\n%s%s", path, r.code, r.out, r.stderr)
			}
			return
		}
		if strings.HasPrefix(hint, "git -C ") && strings.Contains(r.out, "CONFLICT") { // a person resolves it
			tree := strings.Fields(hint)[2]
			r = w.sh("cd " + tree + " && git checkout --ours . && git add -A && git commit -q -m resolved")
		}
		next := w.named(r)
		if r.code == 0 {
			next = w.agreed()
		}
		if len(next) == 0 {
			if r.code != 0 {
				w.t.Errorf("%q exits with %d and names no step\n%s%s", path, r.code, r.out, r.stderr)
			}
			return
		}
		hint = next[0]
	}
	w.t.Errorf("no end of it: %q", path)
}

// runnable checks that a step is a command line that can be run unchanged.
func (w *walker) runnable(hint string) {
	w.t.Helper()
	word := strings.Fields(hint)[0]
	_, known := w.known.LoadOrStore(word, true)
	placeholder := regexp.MustCompile(`\b(ID|NAME|TEXT|FILE|BRANCH)\b|<[a-z]+>|\.\.\.`)
	if placeholder.MatchString(hint) || !known && w.ask("command -v "+word).code != 0 {
		w.t.Errorf("%q is not a command that can be run", hint)
	}
	if args := strings.Fields(hint); word == "chant" && len(args) > 1 && !strings.HasPrefix(args[1], "-") {
		if _, known := w.known.LoadOrStore(args[1], true); known {
			return
		}
		if r := w.ask("chant " + args[1] + " --help"); r.code != 0 {
			w.t.Errorf("%q: %s", hint, r.stderr)
		}
	}
}

// fingerprint is what a person sees of the state: the status of each spec with its reason, and what git
// says of the checkout.
func (w *walker) fingerprint() string {
	var list struct{ Specs []struct{ ID string } }
	var b strings.Builder
	if r := w.ask("chant list --json"); r.code == 0 && json.Unmarshal([]byte(r.out), &list) == nil {
		for _, s := range list.Specs {
			d := w.diagnose(s.ID)
			fmt.Fprintf(&b, "%s %s %s; ", s.ID, d.Status, d.Diagnosis)
		}
	} else {
		b.WriteString(r.stderr)
	}
	r := w.ask("git status --porcelain; git branch --list; git config --get-regexp '^user' | head; git worktree list --porcelain | grep ^worktree; ls .chant 2>&1; " +
		"echo 'files:'; cat .chant/specs/* .chant/config.md 2>/dev/null | git hash-object --stdin")
	seen, files, _ := strings.Cut(r.out, "files:")
	return regexp.MustCompile(`\b[0-9a-f]{7,40}\b`).ReplaceAllString(b.String()+seen, "HASH") + files
}
