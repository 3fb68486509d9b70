package author

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/store"
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
		if got := enginetest.Refusal(err); !strings.HasPrefix(got, tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
	if now := enginetest.Git(t, dir, "rev-parse", "HEAD"); now != before || enginetest.Git(t, dir, "status", "--porcelain") != "" {
		t.Error("a refused spec has left something")
	}
}

// TestAdd_written commits a pending spec with every field of the input, which is read again as it was.
func TestAdd_written(t *testing.T) {
	t.Parallel()
	p, dir := filed(t, map[string]string{numbered("001"): with("type: driver\nstatus: pending\n"), numbered("002"): with("status: completed\n")})
	r, err := Add(t.Context(), p, AddInput{
		Description: "A: title # with \"all\"\n\n- the rest\n", Type: "task", Prompt: "standard", Provider: "claude", Labels: []string{"a b", "c: d", "[e]"},
		TargetFiles: []string{"src/*.go"}, DependsOn: []string{"002", numbered("002")}, Criteria: []string{"one\nline", "runs `$ test -f x`"}, Group: "001", NeedsApproval: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Store.Get(t.Context(), r.ID)
	if err != nil {
		t.Fatal(err)
	}
	f := s.Fields
	if r.ID != numbered("001")+".1" || r.Path != store.SpecPath(r.ID) || s.Status != spec.Pending || s.Title != `A: title # with "all"` || r.Title != s.Title {
		t.Errorf("%+v, %q", r, s.Title)
	}
	if f.Type != "task" || f.Prompt != "standard" || f.Provider != "claude" || strings.Join(f.Labels, "|") != "a b|c: d|[e]" || strings.Join(f.TargetFiles, "|") != "src/*.go" {
		t.Errorf("%+v", f)
	}
	if len(f.DependsOn) != 1 || f.DependsOn[0] != numbered("002") || f.Approval == nil || !f.Approval.Required || !s.ApprovalBlock().Exists() {
		t.Errorf("depends on %q, approval %+v", f.DependsOn, f.Approval)
	}
	if c := spec.Criteria(s.Doc); len(c) != 2 || c[0].Text != "one line" || c[0].Checked || !c[1].Runs() {
		t.Errorf("%+v", c)
	}
	if !bytes.Contains(s.Doc.Bytes(), []byte("\n- the rest\n")) || enginetest.Git(t, dir, "rev-parse", "HEAD") != r.Commit || enginetest.Git(t, dir, "status", "--porcelain") != "" {
		t.Errorf("commit %q:\n%s", r.Commit, s.Doc.Bytes())
	}
	next, err := Add(t.Context(), p, AddInput{Description: "Another", Group: "001"})
	if err != nil || next.ID != numbered("001")+".2" {
		t.Errorf("the next member: %+v, %v", next, err)
	}
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
		if _, err := Add(t.Context(), p, tc.in); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		said := strings.Join(warned, "\n")
		if len(warned) != len(tc.words) {
			t.Errorf("%s: %q", name, warned)
		}
		for _, w := range tc.words {
			if !strings.Contains(said, w) {
				t.Errorf("%s: %q lacks %q", name, said, w)
			}
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
			if err := os.Chmod(filepath.Join(dir, ".git", "hooks", "reference-transaction"), 0o755); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, dir := enginetest.Project(t)
			fail(t, dir)
			var reported []string
			p.Progress = func(e engine.Event) { reported = append(reported, e.Text) }
			added, err := Add(t.Context(), p, AddInput{Description: "A"})
			if got := enginetest.Refusal(err); !strings.HasPrefix(got, "internal | git status | git ") && !strings.HasPrefix(got, "state | git config --show-origin") || added.ID != "" {
				t.Errorf("%+v, %s", added, got)
			}
			if len(reported) > 0 {
				t.Errorf("reported %q", reported)
			}
			if left, err := filepath.Glob(filepath.Join(dir, ".chant", "specs", "*.md")); err != nil || len(left) > 0 {
				t.Errorf("a spec was left: %v", left)
			}
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
		if (err != nil) != (tc.want == "") || err == nil && got != tc.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, tc.want)
		}
	}
}
