package author

import (
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/store"
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
				if (got == "") != (want == "") || !strings.HasPrefix(got, want) {
					t.Errorf("%s, branch %q, landed %t: %q, want %q", status, branch, landed, got, want)
				}
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
	if err != nil || len(r.Moved) != 3 || enginetest.Git(t, dir, "rev-parse", "HEAD^") != before || r.Commit != enginetest.Git(t, dir, "rev-parse", "HEAD") {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, m := range r.Moved {
		if engine.Exists(dir+"/"+store.SpecPath(m.ID)) || !strings.Contains(enginetest.Read(t, dir, m.Path), "status: c") {
			t.Errorf("%+v", m)
		}
	}
	if _, err := Archive(t.Context(), p, ArchiveInput{ID: numbered("001")}); !strings.Contains(enginetest.Refusal(err), "is archived already") {
		t.Errorf("a second time: %q", enginetest.Refusal(err))
	}
	src, err := Source(t.Context(), p, numbered("001")+".1")
	if err != nil || !src.Archived || !slices.Contains(r.Moved, ArchivedSpec{src.ID, src.Path}) {
		t.Errorf("%+v, %v", src, err)
	}
	if _, err := Draft(t.Context(), p, numbered("001")); !strings.HasPrefix(enginetest.Refusal(err), "state | chant show "+numbered("001")) {
		t.Errorf("an archived spec is edited: %q", enginetest.Refusal(err))
	}
}
