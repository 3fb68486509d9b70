package assist

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chant/engine"
	"chant/engine/code"
	"chant/engine/enginetest"
	"chant/engine/evidence/journal"
	"chant/engine/run/usage"

	"github.com/alecthomas/assert/v2"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// repository returns a project whose agent is a shell script, in which $OUT is a folder beside the repository.
func repository(t *testing.T, script string) (p *engine.Project, out string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the agent is a POSIX shell script")
	}
	_, dir := enginetest.Project(t)
	out = t.TempDir()
	program := filepath.Join(out, "agent")
	assert.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\nOUT='"+out+"'\n"+script), 0o755))
	enginetest.Write(t, dir, ".chant/config.md", "---\ndefaults: {provider: helper}\nsandbox: off # its agent writes beside the project what it was asked\n---\n")
	enginetest.Write(t, dir, ".chant/providers/helper.md", "---\ncommand: "+program+"\nargs: ['{{prompt_file}}']\n---\n")
	enginetest.Write(t, dir, "cache.go", "package cache\n\n// Evict drops entries that are too old.\nfunc Evict() {}\n\n// Put stores an entry.\nfunc Put() {}\n")
	enginetest.Write(t, dir, "other.go", "package cache\n\n// Draw paints.\nfunc Draw() {}\n")
	o := enginetest.Options()
	o.Environ = append(slices.Clone(o.Environ), "PATH="+os.Getenv("PATH"), "XDG_CACHE_HOME="+filepath.Join(out, "cache"))
	p, err := engine.Open(dir, o)
	assert.NoError(t, err)
	return p, out
}

func ask(query string) SearchInput {
	return SearchInput{SearchInput: code.SearchInput{Query: query, Build: true}}
}

const (
	expands = "cat <<'END'\nHere:\n```json\n" + `{"synonyms": ["evict", " evict "], "related_concepts": ["old\nentries"], "variations": []}` + "\n```\nEND\n"
	sums    = "cat <<'END'\n```json\n" + `{"summary": "It drops.", "key_insights": ["one"], "confidence": 0.8,
"code_references": [{"file_path": "cache.go", "line_number": 4, "description": "drops"}, {"file_path": "../../etc/passwd", "description": "not found"}],
"follow_ups": [{"query": "who calls Evict", "rationale": "callers", "category": "related_code"}]}` + "\n```\nEND\n"
)

// TestSearch_expand: further words find what the query alone does not, and what the query finds stays first.
func TestSearch_expand(t *testing.T) {
	t.Parallel()
	p, out := repository(t, "cp \"$1\" $OUT/prompt; ls -A > $OUT/files; pwd > $OUT/where; printf %s \"$CHANT_SPEC_ID\" > $OUT/id\n"+expands)
	in := ask("paints")
	var reported []string
	p.Progress = func(ev engine.Event) { reported = append(reported, ev.Text) }
	plain, err := Search(t.Context(), p, in)
	assert.NoError(t, err)
	assert.Equal(t, 1, plain.Count)
	assert.True(t, plain.Expanded == nil, "%+v, %v", plain, err)
	assert.True(t, plain.Notices == nil, "%+v, %v", plain, err)
	in.Expand = true
	r, err := Search(t.Context(), p, in)
	assert.NoError(t, err, "%v", r.Notices)
	assert.Zero(t, r.Notices)
	if !slices.Equal(reported, []string{"helper extends a query"}) { // and nothing of what the agent has printed
		t.Errorf("reported is %q", reported)
	}
	e := r.Expanded
	assert.True(t, e != nil, "%+v", r.Expanded)
	assert.Equal(t, "paints", e.Original, "%+v", r.Expanded)
	assert.Equal(t, []string{"evict", "old entries"}, e.Words(), "%+v", r.Expanded)
	assert.True(t, r.Count >= 2, "found %+v", r.Results)
	assert.Equal(t, "other.go", r.Results[0].Path)
	assert.True(t, slices.ContainsFunc(r.Results, func(h code.Hit) bool { return slices.Contains(h.Symbols, "Evict") }), "found %+v", r.Results)
	got := enginetest.Read(t, out, "prompt")
	assert.Contains(t, got, "paints")
	assert.NotContains(t, got, "func ")
	assert.Equal(t, "", enginetest.Read(t, out, "files")+enginetest.Read(t, out, "id"))
	where := strings.TrimSpace(enginetest.Read(t, out, "where"))
	assert.False(t, strings.HasPrefix(where, engine.Home(p)), "the agent was in %q, which is left", where)
	assert.False(t, engine.Exists(where), "the agent was in %q, which is left", where)
}

// TestSearch_synthesize: a summary is made of what was found, and names only files that were found.
func TestSearch_synthesize(t *testing.T) {
	t.Parallel()
	p, out := repository(t, "cp \"$1\" $OUT/prompt\n"+sums)
	in := ask("drop entries that are too old")
	in.Synthesize = true
	r, err := Search(t.Context(), p, in)
	assert.NoError(t, err, "%v", r.Notices)
	assert.Zero(t, r.Notices)
	assert.True(t, r.Synthesis != nil, "%v %v %v", r.Notices, r.Synthesis, err)
	s := r.Synthesis
	assert.Equal(t, "It drops.", s.Summary)
	assert.Equal(t, 0.8, s.Confidence)
	assert.Equal(t, 1, len(s.Insights))
	assert.Equal(t, 1, len(s.References))
	assert.Equal(t, "cache.go", s.References[0].Path)
	assert.Equal(t, 1, len(r.FollowUps))
	assert.Equal(t, "related_code", r.FollowUps[0].Category)
	assert.Contains(t, enginetest.Read(t, out, "prompt"), "func Evict() {}")
	used, err := journal.ReadHistory(p.Store, journal.QuestionsName)
	assert.NoError(t, err, "nothing was recorded of the agent: %+v", used)
	assert.NotEqual(t, 0, len(used.Attempts), "nothing was recorded of the agent: %+v", used)
	if _, err := usage.NewBudget(p).LimitReached(); err != nil {
		t.Error(err)
	}
	in.Query = "nothing of the kind qqqq"
	r, err = Search(t.Context(), p, in)
	assert.NoError(t, err, "nothing was found, but it was summed up")
	assert.True(t, r.Synthesis == nil, "nothing was found, but it was summed up: %+v, %v", r, err)
	assert.Zero(t, r.Notices, "nothing was found, but it was summed up")
}

// TestSearch_skipped: whatever the agent does, the search answers, and a notice says what was left out.
func TestSearch_skipped(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ script, want string }{
		"fails":        {"exit 3\n", "the agent failed: "},
		"no JSON":      {"echo I think so\n", "the agent's answer holds no JSON"},
		"another form": {"echo '```json'; echo '{\"a\": 1}'; echo '```'\n", "the agent's answer has another form"},
	} {
		p, _ := repository(t, tt.script)
		in := ask("drop entries")
		in.Expand, in.Synthesize = true, true
		r, err := Search(t.Context(), p, in)
		assert.NoError(t, err, "%s", name)
		assert.NotEqual(t, 0, r.Count, "%s", name)
		assert.True(t, r.Expanded == nil, "%s: %+v, %v", name, r, err)
		assert.True(t, r.Synthesis == nil, "%s: %+v, %v", name, r, err)
		assert.Equal(t, 2, len(r.Notices), "%s", name)
		assert.HasPrefix(t, r.Notices[0], "expand_query was skipped: "+tt.want, "%s", name)
		assert.HasPrefix(t, r.Notices[1], "synthesize was skipped: "+tt.want, "%s", name)
	}
}

// TestSearch_nobody: without an agent that could be asked, both parts are skipped.
func TestSearch_nobody(t *testing.T) {
	t.Parallel()
	p, out := repository(t, "touch $OUT/asked\n"+expands)
	in := ask("drop entries")
	in.Expand = true
	for name, tt := range map[string]struct {
		change func()
		want   string
	}{
		"the shell": {func() { p.Config.Defaults.Provider = "shell" }, "the project's provider is the shell, which answers no questions"},
		"unknown":   {func() { p.Config.Defaults.Provider = "nobody" }, `no provider "nobody"`},
		"missing":   {func() { p.Config.Defaults.Provider = "codex"; p.Environ = []string{"PATH=" + out} }, "codex"},
		"limit": {func() {
			p.Config.Limits.Run.Time = 1
			now := p.Now()
			p.Now = func() time.Time { now = now.Add(time.Second); return now }
		}, "time limit of the"},
	} {
		copied, config := *p, *p.Config
		tt.change()
		r, err := Search(t.Context(), p, in)
		*p, *p.Config = copied, config
		assert.NoError(t, err, "%s", name)
		assert.NotEqual(t, 0, r.Count, "%s", name)
		assert.Equal(t, 1, len(r.Notices), "%s", name)
		assert.HasPrefix(t, r.Notices[0], "expand_query was skipped: ", "%s", name)
		assert.Contains(t, r.Notices[0], tt.want, "%s", name)
	}
	assert.False(t, engine.Exists(filepath.Join(out, "asked")), "the agent was asked")
}

// TestSearch_refused: a question that cannot be asked costs no agent.
func TestSearch_refused(t *testing.T) {
	t.Parallel()
	p, out := repository(t, "touch $OUT/asked\n"+expands)
	wrong := 2.0
	for _, in := range []code.SearchInput{{Query: " "}, {Query: "x", Weight: &wrong}, {Query: "x", PathFilter: "[" + "a"}, {Query: "x", Path: "nowhere"}, {Query: "x", Limit: -1}} {
		r, err := Search(t.Context(), p, SearchInput{SearchInput: in, Expand: true})
		assert.Error(t, err, "%+v: %+v", in, r)
	}
	assert.False(t, engine.Exists(filepath.Join(out, "asked")), "the agent was asked")
}

// TestSearch_canceled: the end of the context stops the agent, and leaves neither its folder nor its process.
func TestSearch_canceled(t *testing.T) {
	t.Parallel()
	p, out := repository(t, "pwd > $OUT/where; echo I am here; echo > $OUT/begun; exec sleep 1000\n")
	begun := filepath.Join(out, "begun")
	assert.NoError(t, exec.Command("mkfifo", begun).Run())
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var waiting sync.WaitGroup
	defer waiting.Wait()
	waiting.Go(func() {
		if _, err := os.ReadFile(begun); err != nil { // when the agent has written
			t.Error(err)
		}
		stop()
	})
	in := ask("drop entries")
	in.Expand = true
	r, err := Search(ctx, p, in)
	assert.False(t, !errors.Is(err, context.Canceled) && enginetest.CodeOf(t, err) != engine.Canceled, "%+v, %v", r, err)
	where := strings.TrimSpace(enginetest.Read(t, out, "where"))
	assert.False(t, engine.Exists(where), "%s is left", where)
}

// TestInSlot: questions at once have folders of their own, and what a killed process left in a folder is removed.
func TestInSlot(t *testing.T) {
	t.Parallel()
	p, _ := repository(t, "")
	a := &asker{p: p}
	_, err := a.inSlot(t.Context(), func(slot, folder string) (string, error) {
		return a.inSlot(t.Context(), func(other, second string) (string, error) {
			if slot == other || folder == second {
				t.Errorf("%s and %s share %s", slot, other, folder)
			}
			return "", nil
		})
	})
	assert.NoError(t, err)
	var left string
	for range 2 {
		_, err = a.inSlot(t.Context(), func(_, folder string) (string, error) {
			if left != "" {
				enginetest.Write(t, folder, "x", "") // it exists
			}
			left = folder
			return "", nil
		})
		assert.NoError(t, err)
		assert.False(t, engine.Exists(left), "%v %v", left, err)
		enginetest.Write(t, left, "stale", "by a killed process")
	}
	_, err = a.inSlot(t.Context(), func(_, folder string) (string, error) {
		if engine.Exists(filepath.Join(folder, "stale")) {
			t.Error("the folder was not empty")
		}
		return "", nil
	})
	assert.NoError(t, err)
}
