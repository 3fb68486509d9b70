package author

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/store"
)

// TestCheck changes the one box that is named by number or id, in every status but completed, and refuses a criterion
// whose box is the result of a command.
func TestCheck(t *testing.T) {
	t.Parallel()
	specs := map[string]string{}
	for i, status := range spec.StatusWords() {
		specs[numbered(fmt.Sprintf("%03d", i+1))] = "---\nstatus: " + status + "\n---\n" + enginetest.StrictBody + "- [ ] a third\n"
	}
	p, dir := filed(t, specs)
	for i, status := range spec.StatusWords() {
		id := numbered(fmt.Sprintf("%03d", i+1))
		before := enginetest.Read(t, dir, store.SpecPath(id))
		r, err := Check(t.Context(), p, CheckInput{ID: id, Criterion: "3"})
		if status == string(spec.Completed) {
			if got := enginetest.Refusal(err); !strings.HasPrefix(got, "state | chant show "+id) {
				t.Errorf("%s: %q", status, got)
			}
			continue
		}
		after := enginetest.Read(t, dir, store.SpecPath(id))
		if err != nil || !r.Criterion.Checked || r.Criterion.Number != 3 || r.Open != 0 || after != strings.Replace(before, "[ ] a third", "[x] a third", 1) {
			t.Errorf("%s: %+v, %v\n%s", status, r, err, after)
		}
		if r, err := Check(t.Context(), p, CheckInput{ID: id, Criterion: r.Criterion.ID, Uncheck: true}); err != nil || r.Criterion.Checked || r.Open != 1 || enginetest.Read(t, dir, store.SpecPath(id)) != before {
			t.Errorf("%s, back: %+v, %v", status, r, err)
		}
	}
	id := numbered("001")
	for criterion, want := range map[string]string{
		"2": "state | chant verify " + id + " | criterion 2 is checked by running `test -f never`; its box is a result",
		"4": "not_found | chant show " + id + ` | spec "` + id + `" has no criterion "4"`,
		"0": "not_found |", "-1": "not_found |", "": "not_found |", "a claim": "not_found |",
	} {
		if _, err := Check(t.Context(), p, CheckInput{ID: id, Criterion: criterion}); !strings.HasPrefix(enginetest.Refusal(err), want) {
			t.Errorf("%q: %q, want %q", criterion, enginetest.Refusal(err), want)
		}
	}
}

// TestUndoStep: a run that has not landed can be dropped, nothing else leads back from completed.
func TestUndoStep(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]*spec.Spec{
		"chant reset 001": {ID: "001", Branch: "chant/001"},
		"chant show 001":  {ID: "001"},
		"chant show 002":  {ID: "002", Branch: "chant/002", Landed: true},
	} {
		if got := undoStep(s).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestMayArchive: only what is finished, has landed and has no branch any more is put away.
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

// TestArchive_driver moves a driver with all its members in one commit, or nothing when one of them is open.
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

// TestEdit takes a new text in place of just the one that was edited, and never a change of the status.
func TestEdit(t *testing.T) {
	t.Parallel()
	id, old := enginetest.StrictID, "---\nstatus: paused\n---\n"+enginetest.StrictBody
	for name, tc := range map[string]struct {
		old, new string
		want     string // of the refusal
	}{
		"a text":              {old, old + "\nMore.\n", ""},
		"criteria":            {old, strings.Replace(old, "a claim", "another", 1), ""},
		"nothing":             {old, old, ""},
		"the status":          {old, strings.Replace(old, "paused", "completed", 1), "state | chant show " + id + ` | an edit cannot change the status of spec "` + id + `" from paused to completed`},
		"an unknown status":   {old, strings.Replace(old, "paused", "resting", 1), "invalid | chant edit " + id},
		"a broken text":       {old, "---\nstatus: [\n---\n", "invalid | chant edit " + id},
		"of an older text":    {old + "x", old + "y", "conflict |"},
		"of a broken file":    {"---\nstatus: [\n---\n", old + "y", "conflict |"},
		"an empty text":       {old, "", "state |"},
		"no front matter":     {old, enginetest.StrictBody, "state |"},
		"a list in its place": {old, strings.Replace(old, "status: paused", "status: paused\nlabels: {a: b}", 1), "invalid |"},
	} {
		p, dir := enginetest.SpecAt(t, "paused", enginetest.StrictBody)
		before := enginetest.StateOf(t, dir)
		r, err := Edit(t.Context(), p, EditInput{ID: id, Old: []byte(tc.old), New: []byte(tc.new)})
		got := enginetest.Refusal(err)
		if (got == "") != (tc.want == "") || !strings.HasPrefix(got, tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
			continue
		}
		if tc.want != "" && enginetest.StateOf(t, dir) != before {
			t.Errorf("%s: a refusal has changed something", name)
		}
		if tc.want == "" && (enginetest.Read(t, dir, store.SpecPath(id)) != tc.new || (r.Commit != "") != (tc.new != tc.old) || r.Status != spec.Paused) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// TestEdit_mends a file that nothing can read.
func TestEdit_mends(t *testing.T) {
	t.Parallel()
	broken := "---\nstatus: [\n---\n# A\n"
	p, dir := filed(t, map[string]string{enginetest.StrictID: broken})
	src, err := Source(t.Context(), p, enginetest.StrictID)
	if err != nil || string(src.Text) != broken {
		t.Fatalf("%+v, %v", src, err)
	}
	r, err := Edit(t.Context(), p, EditInput{ID: enginetest.StrictID, Old: src.Text, New: []byte(with("status: pending\n"))})
	if err != nil || r.Commit == "" || enginetest.Read(t, dir, store.SpecPath(enginetest.StrictID)) != with("status: pending\n") {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestUpdate_status follows the table of states for every status and every one that can be asked for.
func TestUpdate_status(t *testing.T) {
	t.Parallel()
	specs := map[string]string{}
	name := func(from, to string) string { return from + "-" + to }
	asked := []string{"pending", "in_progress", "failed"}
	for _, from := range spec.StatusWords() {
		for _, to := range asked {
			specs[name(from, to)] = with("status: " + from + "\nother: kept\n")
		}
	}
	p, dir := filed(t, specs)
	for _, from := range spec.StatusWords() {
		for _, to := range asked {
			id := name(from, to)
			_, wantErr := spec.EventTo(spec.Status(from), spec.Status(to))
			allowed := wantErr == nil || from == to
			r, err := Update(t.Context(), p, UpdateInput{ID: id, Status: to})
			text := enginetest.Read(t, dir, store.SpecPath(id))
			switch {
			case allowed && (err != nil || string(r.Status) != to || !strings.Contains(text, "status: "+to+"\nother: kept\n")):
				t.Errorf("%s to %s: %+v, %v\n%s", from, to, r, err, text)
			case !allowed && (enginetest.CodeOf(t, err) != engine.State || text != specs[id]):
				t.Errorf("%s to %s: %v\n%s", from, to, err, text)
			}
		}
	}
}

// TestUpdate_fields replaces lists, clears those that are given empty, and leaves alone what is not given.
func TestUpdate_fields(t *testing.T) {
	t.Parallel()
	front := "status: pending\nlabels: [a]\ntarget_files: [x.go]\ndepends_on: [" + numbered("002") + "]\nmodel: small\n"
	for name, tc := range map[string]struct {
		in   UpdateInput
		want string // labels, target files, dependencies and model
		bad  string
	}{
		"labels":         {UpdateInput{Labels: []string{"b", "c"}}, "b,c x.go " + numbered("002") + " small", ""},
		"cleared":        {UpdateInput{Labels: []string{}, TargetFiles: []string{}, DependsOn: []string{}}, "   small", ""},
		"model":          {UpdateInput{Model: "big"}, "a x.go " + numbered("002") + " big", ""},
		"dependencies":   {UpdateInput{DependsOn: []string{"003"}}, "a x.go " + numbered("003") + " small", ""},
		"on itself":      {UpdateInput{DependsOn: []string{"001"}}, "", "usage | chant list | dependencies would go in a circle"},
		"in a circle":    {UpdateInput{DependsOn: []string{"004"}}, "", "usage | chant list | dependencies would go in a circle"},
		"on nothing":     {UpdateInput{DependsOn: []string{"zzz"}}, "", "not_found |"},
		"no update":      {UpdateInput{}, "", "usage | chant update --help | No updates specified"},
		"unknown status": {UpdateInput{Status: "paused"}, "", `usage | chant update --help | Invalid status "paused"`},
		"no body":        {UpdateInput{ReplaceBody: true, Labels: []string{"b"}}, "", "usage | chant update --help | there is no output"},
		"a control byte": {UpdateInput{Model: "a\x07"}, "", "invalid |"},
	} {
		p, dir := filed(t, map[string]string{
			numbered("001"): with(front), numbered("002"): with("status: pending\n"), numbered("003"): with("status: pending\n"),
			numbered("004"): with("status: pending\ndepends_on: [" + numbered("001") + "]\n"),
		})
		tc.in.ID = numbered("001")
		_, err := Update(t.Context(), p, tc.in)
		if got := enginetest.Refusal(err); (got == "") != (tc.bad == "") || !strings.HasPrefix(got, tc.bad) {
			t.Errorf("%s: %q, want %q", name, got, tc.bad)
		}
		if tc.bad != "" {
			if text := enginetest.Read(t, dir, store.SpecPath(numbered("001"))); text != with(front) {
				t.Errorf("%s: a refusal has written\n%s", name, text)
			}
			continue
		}
		s, err := p.Store.Get(t.Context(), numbered("001"))
		if err != nil {
			t.Fatal(err)
		}
		f := s.Fields
		if got := strings.Join([]string{strings.Join(f.Labels, ","), strings.Join(f.TargetFiles, ","), strings.Join(f.DependsOn, ","), f.Model}, " "); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
