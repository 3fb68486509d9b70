package store

import (
	"context"
	"errors"
	"strings"
	"testing"

	"chant/engine/spec"
	"chant/engine/store/local"
	"chant/markdown"

	"github.com/alecthomas/assert/v2"
)

const heldOutText = "---\nstatus: pending\n---\n# A\n\n## Held-out Criteria\n\n- [ ] x `$ true # hidden`\n\n## Notes\n\nb\n"

// seal stands in for the encryption by a key.
func seal(have, section []byte) ([]byte, error) {
	return []byte(sealMark + strings.TrimPrefix(string(have), sealMark) + strings.ReplaceAll(string(section), "hidden", "******")), nil
}

// TestHeldOut_moved: however a spec gets its held-out criteria, neither its file nor a commit keeps them, and all else stays.
func TestHeldOut_moved(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for name, write := range map[string]func(p *project) error{
		"created": func(p *project) error { _, err := p.Create(ctx, "b", []byte(heldOutText)); return err },
		"in a batch": func(p *project) error {
			b := NewBatch(p.Store)
			b.Create("b", "add", []byte(heldOutText))
			_, err := b.Commit(ctx, "s")
			return err
		},
		"by hand": func(p *project) error {
			p.put(SpecPath("b"), heldOutText)
			_, err := p.CommitEdits(ctx, "b")
			return err
		},
		"before it is read": func(p *project) error {
			p.put(SpecPath("b"), heldOutText)
			if err := p.MoveHeldOut(ctx, "b"); err != nil {
				return err
			}
			_, err := p.CommitEdits(ctx, "b")
			return err
		},
		"edited": func(p *project) error {
			if _, err := p.Create(ctx, "b", []byte("---\nstatus: pending\n---\n# A\n\n## Notes\n\nb\n")); err != nil {
				return err
			}
			_, err := p.Transition(ctx, Change{ID: "b", Word: "edit", Edit: func(*markdown.Document) (*markdown.Document, error) {
				return markdown.Parse(SpecPath("b"), []byte(heldOutText))
			}})
			return err
		},
	} {
		p := newProject(t)
		p.Seal = seal
		assert.NoError(t, write(p), name)
		assert.Equal(t, "---\nstatus: pending\n---\n# A\n\n## Notes\n\nb\n", p.file(SpecPath("b")), name)
		assert.Equal(t, sealMark+"## Held-out Criteria\n\n- [ ] x `$ true # ******`", p.git("show", "HEAD:"+HeldOutPath("b")), name)
		assert.Equal(t, "", p.git("status", "--porcelain"), name)
		assert.False(t, strings.Contains(p.git("log", "--all", "-p"), "hidden"), name)
		assert.NoError(t, p.WriteHeldOut("b", nil), name)
		p.transition(move("b", spec.Cancel))
		assert.Equal(t, "D\t"+HeldOutPath("b")+"\nM\t"+SpecPath("b"), p.names("HEAD"), name)
		assert.Equal(t, "", p.git("ls-files", HeldOutPath("b")), name)
	}
}

// TestHeldOut_refused: a file that cannot be written leaves the earlier criteria, and no agent writes any.
func TestHeldOut_refused(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	p := newProject(t)
	p.Seal = func(have, section []byte) ([]byte, error) { return append(have, section...), nil }
	_, err := p.Create(ctx, "b", []byte(heldOutText))
	assert.NoError(t, err)
	was := p.file(HeldOutPath("b"))
	assert.Equal(t, "", p.git("ls-files", HeldOutPath("b")), "a plain file is in no commit")
	_, err = p.Create(ctx, "b", []byte(heldOutText))
	_, exists := errors.AsType[*ExistsError](err)
	assert.True(t, exists, "%v", err)
	assert.Equal(t, was, p.file(HeldOutPath("b")))

	p.runBranch("b", p.file(SpecPath("b")))
	_, err = p.Transition(ctx, Change{ID: "b", Word: "edit", Edit: func(*markdown.Document) (*markdown.Document, error) {
		return markdown.Parse(SpecPath("b"), []byte(heldOutText))
	}})
	file, refused := errors.AsType[*local.FileError](err)
	assert.True(t, refused && strings.Contains(file.Msg, "on the branch of a run"), "%v", err)
	p.Seal = seal
	assert.NoError(t, p.WriteHeldOut("b", []byte("- [ ] y `$ hidden`\n")))
	commit, err := p.CommitHeldOut(ctx, "b")
	assert.NoError(t, err)
	assert.Equal(t, "A\t"+HeldOutPath("b"), p.names(commit))
	p.run = "other"
	_, err = p.Create(ctx, "c", []byte(heldOutText))
	file, refused = errors.AsType[*local.FileError](err)
	assert.True(t, refused && strings.Contains(file.Msg, "only a person"), "%v", err)
}
