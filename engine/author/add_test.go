package author

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/sandbox"
	"chant/engine/spec"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

func numbered(n string) string { return "2026-01-02-" + n + "-abc" }

// filed returns a project with committed specs, by id.
func filed(t *testing.T, specs map[string]string) (*engine.Project, string) {
	t.Helper()
	p, dir := enginetest.Project(t)
	files := map[string]string{}
	for id, text := range specs {
		files[store.SpecPath(id)] = text
	}
	enginetest.Commit(t, dir, files)
	return p, dir
}

func with(front string) string { return "---\n" + front + "---\n# A\n" }

// TestAdd_refused: input that cannot be a spec leaves no file and no commit.
func TestAdd_refused(t *testing.T) {
	t.Parallel()
	p, dir := filed(t, map[string]string{
		numbered("001"): with("type: driver\nstatus: completed\n"),
		numbered("002"): with("type: driver\nstatus: cancelled\n"),
		numbered("003"): with("status: pending\n"),
	})
	before := enginetest.Git(t, dir, "rev-parse", "HEAD")
	for name, tc := range map[string]struct {
		in   AddInput
		want string
	}{
		"no description":     {AddInput{Description: " \n"}, "usage | chant add --help | description is empty"},
		"an unknown type":    {AddInput{Description: "A", Type: "epic"}, `usage | chant add --help | unknown type "epic" (one of code, task, driver,`},
		"an unknown spec":    {AddInput{Description: "A", DependsOn: []string{"999"}}, "not_found | chant list"},
		"no text":            {AddInput{Description: "A\x00B"}, "invalid |"},
		"an empty label":     {AddInput{Description: "A", Labels: []string{"a", " "}}, "invalid | chant --help | entry 2 of labels is empty"},
		"a broken command":   {AddInput{Description: "A", Criteria: []string{"fine", "it runs `$ a\nb`"}}, "invalid | chant guide specs | criterion 2 has a line break in its command"},
		"a completed driver": {AddInput{Description: "A title\n\nand more", Group: "001"}, `state | chant add --depends-on ` + numbered("001") + ` "A title" | driver "` + numbered("001") + `" is completed`},
		"a cancelled driver": {AddInput{Description: "A", Group: "002"}, "state | chant reset " + numbered("002")},
		"an unknown driver":  {AddInput{Description: "A", Group: "zzz"}, "not_found | chant list"},
		"a circle":           {AddInput{Description: "A", Group: "003", DependsOn: []string{"003"}}, "usage | chant list | dependencies would go in a circle"},
	} {
		_, err := Add(t.Context(), p, tc.in)
		assert.HasPrefix(t, enginetest.Refusal(err), tc.want, "%s", name)
	}
	now := enginetest.Git(t, dir, "rev-parse", "HEAD")
	assert.Equal(t, before, now, "a refused spec has left something")
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain"), "a refused spec has left something")
}

// TestAdd_insideRun: the agent of a run adds no spec that another one would wait for.
func TestAdd_insideRun(t *testing.T) {
	t.Parallel()
	p, dir := filed(t, map[string]string{
		numbered("001"): with("type: driver\nstatus: pending\n"), numbered("002"): with("status: pending\n"),
		numbered("003"): with("status: pending\n"),
	})
	enginetest.Write(t, dir, ".chant/templates/whole.md", "---\nmembers: [\"{{of}}\"]\n---\n# Whole\n")
	p.Environ = append(p.Environ, sandbox.SpecKey+"="+numbered("003"))
	before := enginetest.Git(t, dir, "rev-parse", "HEAD")
	for name, in := range map[string]AddInput{
		"a member of a driver":      {Description: "A", Group: "001"},
		"a member of a plain spec":  {Description: "A", Group: "002"},
		"a member of its own spec":  {Description: "A", Group: "003"},
		"a driver of another spec":  {Description: "A", Template: "whole", Vars: map[string]string{"of": numbered("002")}},
		"a driver of its own spec":  {Description: "A", Template: "whole", Vars: map[string]string{"of": numbered("003")}},
		"a member and a dependency": {Description: "A", Group: "002", DependsOn: []string{"001"}},
	} {
		_, err := Add(t.Context(), p, in)
		assert.HasPrefix(t, enginetest.Refusal(err), `state |  | you are inside the run of "`+numbered("003")+`"`, "%s", name)
	}
	assert.Equal(t, before, enginetest.Git(t, dir, "rev-parse", "HEAD"), "a refused spec has left something")
	_, err := Add(t.Context(), p, AddInput{Description: "A", DependsOn: []string{"002"}})
	assert.NoError(t, err)
}

// TestAdd_written commits a pending spec with every field of the input, which is read again as it was.
func TestAdd_written(t *testing.T) {
	t.Parallel()
	p, dir := filed(t, map[string]string{numbered("001"): with("type: driver\nstatus: pending\n"), numbered("002"): with("status: completed\n")})
	r, err := Add(t.Context(), p, AddInput{
		Description: "A: title # with \"all\"\n\n- the rest\n", Type: "task", Prompt: "standard", Provider: "claude", Labels: []string{"a b", "c: d", "[e]"},
		TargetFiles: []string{"src/*.go"}, DependsOn: []string{"002", numbered("002")}, Criteria: []string{"one\nline", "runs `$ test -f x`"}, Group: "001", NeedsApproval: true,
	})
	assert.NoError(t, err)
	s, err := p.Store.Get(t.Context(), r.ID)
	assert.NoError(t, err)
	f := s.Fields
	assert.Equal(t, numbered("001")+".1", r.ID)
	assert.Equal(t, store.SpecPath(r.ID), r.Path)
	assert.Equal(t, spec.Pending, s.Status)
	assert.Equal(t, `A: title # with "all"`, s.Title)
	assert.Equal(t, s.Title, r.Title)
	assert.Equal(t, "task", f.Type)
	assert.Equal(t, "standard", f.Prompt)
	assert.Equal(t, "claude", f.Provider)
	assert.Equal(t, "a b|c: d|[e]", strings.Join(f.Labels, "|"))
	assert.Equal(t, "src/*.go", strings.Join(f.TargetFiles, "|"))
	assert.Equal(t, 1, len(f.DependsOn))
	assert.Equal(t, numbered("002"), f.DependsOn[0])
	assert.True(t, f.Approval != nil, "depends on %q, approval %+v", f.DependsOn, f.Approval)
	assert.True(t, f.Approval.Required, "depends on %q, approval %+v", f.DependsOn, f.Approval)
	assert.True(t, s.ApprovalBlock().Exists(), "depends on %q, approval %+v", f.DependsOn, f.Approval)
	c := spec.Criteria(s.Doc)
	assert.Equal(t, 2, len(c))
	assert.Equal(t, "one line", c[0].Text)
	assert.False(t, c[0].Checked, "%+v", c)
	assert.True(t, c[1].Runs(), "%+v", c)
	assert.True(t, bytes.Contains(s.Doc.Bytes(), []byte("\n- the rest\n")), "commit %q:\n%s", r.Commit, s.Doc.Bytes())
	assert.Equal(t, r.Commit, enginetest.Git(t, dir, "rev-parse", "HEAD"))
	assert.Equal(t, "", enginetest.Git(t, dir, "status", "--porcelain"))
	next, err := Add(t.Context(), p, AddInput{Description: "Another", Group: "001"})
	assert.NoError(t, err, "the next member")
	assert.Equal(t, numbered("001")+".2", next.ID, "the next member")
}

// TestAdd_warns of what a new spec lacks: something to verify, or a script if the shell works it.
func TestAdd_warns(t *testing.T) {
	t.Parallel()
	script := "\n\n## Script\n\n```sh\ntrue\n```\n"
	for name, tc := range map[string]struct {
		in    AddInput
		words []string // one for each warning
	}{
		"nothing at all": {AddInput{Description: "A"}, []string{"no criterion and no command", "no ```sh block"}},
		"a script":       {AddInput{Description: "A" + script}, []string{"no criterion and no command"}},
		"a criterion":    {AddInput{Description: "A", Criteria: []string{"x"}}, []string{"no ```sh block"}},
		"an agent":       {AddInput{Description: "A", Criteria: []string{"x"}, Provider: "claude"}, nil},
		"both":           {AddInput{Description: "A" + script, Criteria: []string{"x"}}, nil},
		"a driver":       {AddInput{Description: "A", Type: "driver"}, nil},
	} {
		p, _ := enginetest.Project(t)
		var warned []string
		p.Progress = func(ev engine.Event) { warned = append(warned, ev.Text) }
		_, err := Add(t.Context(), p, tc.in)
		assert.NoError(t, err, "%s", name)
		said := strings.Join(warned, "\n")
		assert.Equal(t, len(tc.words), len(warned), "%s: %q", name, warned)
		for _, w := range tc.words {
			assert.Contains(t, said, w, "%s", name)
		}
	}
}

// TestAdd_notCommitted: if the commit fails, nothing is reported about the spec, which does not exist.
func TestAdd_notCommitted(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(t *testing.T, dir string){
		"it cannot be signed": func(t *testing.T, dir string) {
			enginetest.Git(t, dir, "config", "commit.gpgsign", "true")
			enginetest.Git(t, dir, "config", "gpg.program", "false")
		},
		"a hook refuses": func(t *testing.T, dir string) {
			hook := "#!/bin/sh\ntest \"$1\" != prepared\n"
			enginetest.Write(t, dir, ".git/hooks/reference-transaction", hook)
			assert.NoError(t, os.Chmod(filepath.Join(dir, ".git", "hooks", "reference-transaction"), 0o755))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			fail(t, dir)
			var reported []string
			p.Progress = func(e engine.Event) { reported = append(reported, e.Text) }
			added, err := Add(t.Context(), p, AddInput{Description: "A"})
			got := enginetest.Refusal(err)
			assert.False(t, !strings.HasPrefix(got, "internal | git status | git ") && !strings.HasPrefix(got, "state | git config --show-origin"), "%+v, %s", added, got)
			assert.Equal(t, "", added.ID)
			assert.Zero(t, reported, "reported %q", reported)
			left, err := filepath.Glob(filepath.Join(dir, ".chant", "specs", "*.md"))
			assert.NoError(t, err, "a spec was left: %v", left)
			assert.Zero(t, left, "a spec was left: %v", left)
		})
	}
}

// TestSuffix discards the bytes that would make some digits more likely, and fails without randomness.
func TestSuffix(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		random []byte
		want   string
	}{
		"the first":   {[]byte{0, 1, 35}, "01z"},
		"folded":      {[]byte{36, 251, 10}, "0za"},
		"left out":    {[]byte{252, 253, 5, 254, 255, 6, 7}, "567"},
		"too little":  {[]byte{1, 2}, ""},
		"none usable": {[]byte{255, 255, 255}, ""},
	} {
		got, err := randomSuffix(&engine.Project{Options: engine.Options{Rand: bytes.NewReader(tc.random)}})
		assert.Equal(t, tc.want == "", err != nil, "%s", name)
		assert.False(t, err == nil && got != tc.want, "%s: %q, %v; want %q", name, got, err, tc.want)
	}
}
