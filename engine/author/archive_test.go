package author

import (
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

// TestMayArchive: only a spec that is finished, has landed and has no branch is archived.
func TestMayArchive(t *testing.T) {
	t.Parallel()
	for _, status := range spec.Statuses() {
		for _, branch := range []string{"", "chant/001"} {
			for _, landed := range []bool{false, true} {
				s := &spec.Spec{ID: "001", Status: status, Branch: branch, Landed: landed}
				want := "state | chant show 001 | spec \"001\" is " + string(status)
				switch {
				case status == spec.Completed && !landed:
					want = "state | chant merge 001 |"
				case (status == spec.Completed || status == spec.Cancelled) && branch != "":
					want = "state | chant cleanup |"
				case status == spec.Completed || status == spec.Cancelled:
					want = ""
				}
				got := enginetest.Refusal(mayArchive(spec.NewGraph([]*spec.Spec{s}, nil), "001"))
				assert.Equal(t, want == "", got == "", "%s, branch %q, landed %t", status, branch, landed)
				assert.HasPrefix(t, got, want, "%s, branch %q, landed %t", status, branch, landed)
			}
		}
	}
}

// TestArchive_driver moves a driver with all its members in one commit, or nothing if one of them is open.
func TestArchive_driver(t *testing.T) {
	t.Parallel()
	p, dir := filed(t, map[string]string{
		numbered("001"):        with("type: driver\nstatus: completed\n"),
		numbered("001") + ".1": with("status: completed\n"),
		numbered("001") + ".2": with("status: cancelled\n"),
		numbered("002"):        with("type: driver\nstatus: completed\n"),
		numbered("002") + ".1": with("status: failed\n"),
	})
	before := enginetest.Git(t, dir, "rev-parse", "HEAD")
	if _, err := Archive(t.Context(), p, ArchiveInput{ID: "002"}); !strings.HasPrefix(enginetest.Refusal(err), "state | chant show "+numbered("002")+".1 |") || enginetest.Git(t, dir, "rev-parse", "HEAD") != before {
		t.Error(enginetest.Refusal(err))
	}
	r, err := Archive(t.Context(), p, ArchiveInput{ID: "001"})
	assert.NoError(t, err)
	assert.Equal(t, 3, len(r.Moved))
	assert.Equal(t, before, enginetest.Git(t, dir, "rev-parse", "HEAD^"))
	assert.Equal(t, enginetest.Git(t, dir, "rev-parse", "HEAD"), r.Commit)
	for _, m := range r.Moved {
		assert.False(t, engine.Exists(dir+"/"+store.SpecPath(m.ID)), "%+v", m)
		assert.Contains(t, enginetest.Read(t, dir, m.Path), "status: c", "%+v", m)
	}
	if _, err := Archive(t.Context(), p, ArchiveInput{ID: numbered("001")}); !strings.Contains(enginetest.Refusal(err), "is archived already") {
		t.Errorf("a second time: %q", enginetest.Refusal(err))
	}
	src, err := Source(t.Context(), p, numbered("001")+".1")
	assert.NoError(t, err)
	assert.True(t, src.Archived, "%+v, %v", src, err)
	assert.SliceContains(t, r.Moved, ArchivedSpec{src.ID, src.Path})
	if _, err := Draft(t.Context(), p, numbered("001")); !strings.HasPrefix(enginetest.Refusal(err), "state | chant show "+numbered("001")) {
		t.Errorf("an archived spec is edited: %q", enginetest.Refusal(err))
	}
}
