package store

import (
	"context"
	"os"
	"testing"

	"chant/engine/store/local"
)

// TestFinishKilled finishes a change that a killed process has begun to write, and nothing else.
func TestFinishKilled(t *testing.T) {
	t.Parallel()
	const added = Dir + "/sprints/1.md"
	old, next := withStatus("pending"), withStatus("pending")+"More\n"
	for _, tt := range []struct {
		name         string
		before       func(p *project)
		a, b, sprint string // afterwards; "" is missing
		commits      bool
	}{
		{"nothing was written", func(*project) {}, old, old, "", false},
		{"one file was written", func(p *project) { p.put(SpecPath(idA), next) }, next, next, "new\n", true},
		{"only the new file was written", func(p *project) { p.put(added, "new\n") }, next, next, "new\n", true},
		{"all were written", func(p *project) {
			p.put(SpecPath(idA), next)
			p.put(SpecPath(idB), next)
			p.put(added, "new\n")
		}, next, next, "new\n", true},
		{"one was edited since", func(p *project) {
			p.put(SpecPath(idA), next)
			p.put(SpecPath(idB), "by hand\n")
		}, next, "by hand\n", "new\n", true},
		{"it was committed, and one taken back since", func(p *project) {
			p.put(SpecPath(idA), next)
			p.git("commit", "-qm", "by the killed process", "--", SpecPath(idA))
		}, next, old, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t, idA, "pending", idB, "pending")
			if _, err := NoteRedo(p.Store.LocalPath(local.Writes, ""), recordOf([]fileEdit{
				{path: SpecPath(idA), old: []byte(old), next: []byte(next)},
				{path: SpecPath(idB), old: []byte(old), next: []byte(next)},
				{path: added, next: []byte("new\n")},
			}, "chant: update 2 tasks")); err != nil {
				t.Fatal(err)
			}
			tt.before(p)
			head := p.git("rev-parse", "HEAD")
			if err := FinishKilled(context.Background(), p.Store); err != nil {
				t.Fatal(err)
			}
			if p.file(SpecPath(idA)) != tt.a || p.file(SpecPath(idB)) != tt.b {
				t.Errorf("left %q and %q", p.file(SpecPath(idA)), p.file(SpecPath(idB)))
			}
			if have, err := p.Store.ReadTree(p.home, added); string(have) != tt.sprint || (err != nil) != (tt.sprint == "") {
				t.Errorf("the new file has %q, %v", have, err)
			}
			if got := p.git("rev-parse", "HEAD"); (got != head) != tt.commits {
				t.Errorf("HEAD was %s and is %s", head, got)
			}
			if names, err := os.ReadDir(p.Store.LocalPath(local.Writes, "")); err != nil || len(names) > 0 {
				t.Errorf("left %v, %v", names, err)
			}
		})
	}
}

// TestFinishKilled_removal finishes a removal, and drops a record that was not written to its end.
func TestFinishKilled_removal(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending")
	gone := fileEdit{path: SpecPath(idA), old: []byte(withStatus("pending"))}
	other := fileEdit{path: SpecPath(idB), old: []byte(withStatus("pending")), next: []byte("# Other\n")}
	if _, err := NoteRedo(p.Store.LocalPath(local.Writes, ""), recordOf([]fileEdit{gone, other}, "chant: delete")); err != nil {
		t.Fatal(err)
	}
	torn, err := p.Store.Local(local.Writes, "torn.json")
	if err == nil {
		err = os.WriteFile(torn, []byte(`{"message":"x","fi`), 0o600)
	}
	if err == nil {
		err = os.Remove(p.home + "/" + SpecPath(idA))
	}
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := FinishKilled(ctx, p.Store); err != nil {
		t.Fatal(err)
	}
	if _, err := p.repo.ReadFile(ctx, "HEAD", SpecPath(idA)); err == nil {
		t.Error("the removal is not committed")
	}
	if have, err := p.repo.ReadFile(ctx, "HEAD", SpecPath(idB)); err != nil || string(have) != "# Other\n" {
		t.Errorf("the other file has %q, %v", have, err)
	}
	if names, err := os.ReadDir(p.Store.LocalPath(local.Writes, "")); err != nil || len(names) > 0 {
		t.Errorf("left %v, %v", names, err)
	}
}
