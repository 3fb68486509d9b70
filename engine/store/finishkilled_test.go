package store

import (
	"context"
	"os"
	"testing"

	"chant/engine/store/local"

	"github.com/alecthomas/assert/v2"
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
			_, err := NoteRedo(p.Store.LocalPath(local.Writes, ""), recordOf([]fileEdit{
				{path: SpecPath(idA), old: []byte(old), next: []byte(next)},
				{path: SpecPath(idB), old: []byte(old), next: []byte(next)},
				{path: added, next: []byte("new\n")},
			}, "chant: update 2 tasks"))
			assert.NoError(t, err)
			tt.before(p)
			head := p.git("rev-parse", "HEAD")
			assert.NoError(t, FinishKilled(context.Background(), p.Store))
			if p.file(SpecPath(idA)) != tt.a || p.file(SpecPath(idB)) != tt.b {
				t.Errorf("left %q and %q", p.file(SpecPath(idA)), p.file(SpecPath(idB)))
			}
			have, err := p.Store.ReadTree(p.home, added)
			assert.Equal(t, tt.sprint, string(have), "the new file")
			assert.Equal(t, tt.sprint == "", err != nil, "the new file")
			assert.Equal(t, tt.commits, p.git("rev-parse", "HEAD") != head)
			names, err := os.ReadDir(p.Store.LocalPath(local.Writes, ""))
			assert.NoError(t, err, "left %v", names)
			assert.Zero(t, names, "left %v", names)
		})
	}
}

// TestFinishKilled_removal finishes a removal, and drops a record that was not written to its end.
func TestFinishKilled_removal(t *testing.T) {
	t.Parallel()
	p := newProject(t, idA, "pending", idB, "pending")
	gone := fileEdit{path: SpecPath(idA), old: []byte(withStatus("pending"))}
	other := fileEdit{path: SpecPath(idB), old: []byte(withStatus("pending")), next: []byte("# Other\n")}
	_, err := NoteRedo(p.Store.LocalPath(local.Writes, ""), recordOf([]fileEdit{gone, other}, "chant: delete"))
	assert.NoError(t, err)
	torn, err := p.Store.Local(local.Writes, "torn.json")
	if err == nil {
		err = os.WriteFile(torn, []byte(`{"message":"x","fi`), 0o600)
	}
	if err == nil {
		err = os.Remove(p.home + "/" + SpecPath(idA))
	}
	assert.NoError(t, err)
	ctx := context.Background()
	assert.NoError(t, FinishKilled(ctx, p.Store))
	_, err = p.repo.ReadFile(ctx, "HEAD", SpecPath(idA))
	assert.Error(t, err, "the removal is not committed")
	have, err := p.repo.ReadFile(ctx, "HEAD", SpecPath(idB))
	assert.NoError(t, err, "the other file")
	assert.Equal(t, "# Other\n", string(have), "the other file")
	names, err := os.ReadDir(p.Store.LocalPath(local.Writes, ""))
	assert.NoError(t, err, "left %v", names)
	assert.Zero(t, names, "left %v", names)
}
