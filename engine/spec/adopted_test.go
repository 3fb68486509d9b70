package spec

import (
	"slices"
	"testing"
)

// folder is what a spec with two criteria of its own adopts: a task with a box, and a scenario without one.
func folder(t *testing.T, front string) *File {
	t.Helper()
	s := read(t, "x", "source: specs/001-a\n"+front, "# A\n\n## Acceptance Criteria\n\n- [ ] Own `$ true`\n- [x] Box\n")
	s.Adopt(&Adopted{Dir: "specs/001-a", Digest: "d", Criteria: []Criterion{
		{ID: AdoptedID("tasks.md", "T001 Write"), Key: "T001", Text: "T001 Write", File: "specs/001-a/tasks.md", Checked: true},
		{ID: AdoptedID("spec.md", "It works"), Key: "US1.1", Text: "It works", File: "specs/001-a/spec.md", Boxless: true},
	}})
	return s
}

func TestFile_criteriaAdopted(t *testing.T) {
	t.Parallel()
	scenario := AdoptedID("spec.md", "It works")
	for front, met := range map[string]bool{"": false, "met: [US1.1]": true, "met: [" + scenario + "]": true, "met: [US1.2]": false} {
		all := folder(t, front).Criteria()
		if len(all) != 4 || all[2].Number != 3 || !all[2].Checked || all[3].Number != 4 || all[3].Checked != met {
			t.Errorf("%q: %+v", front, all)
		}
	}
	if all := read(t, "x", "", "# A\n").Criteria(); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

func TestFile_tickAdopted(t *testing.T) {
	t.Parallel()
	s := folder(t, "")
	scenario, task, own := AdoptedID("spec.md", "It works"), AdoptedID("tasks.md", "T001 Write"), s.Criteria()[1].ID
	doc, err := s.Tick(map[string]bool{scenario: true, task: false, own: false})
	if err != nil {
		t.Fatal(err)
	}
	now, err := FromDocument("x", doc)
	if err != nil || !slices.Equal(now.Fields.Met, []string{scenario}) || Criteria(doc)[1].Checked {
		t.Fatalf("%v\n%s", err, doc.Bytes())
	}
	now.Adopt(s.Adopted())
	back, err := now.Tick(map[string]bool{scenario: false, own: true})
	if err != nil || string(back.Bytes()) != string(s.Doc.Bytes()) {
		t.Errorf("%v\n%s\nwant\n%s", err, back.Bytes(), s.Doc.Bytes())
	}
	byKey := folder(t, "met: [US1.1, SC-001]")
	if doc, err = byKey.Tick(map[string]bool{scenario: false}); err != nil {
		t.Fatal(err)
	}
	if now, err = FromDocument("x", doc); err != nil || !slices.Equal(now.Fields.Met, []string{"SC-001"}) {
		t.Errorf("%v, %q", err, now.Fields.Met)
	}
	if _, err := s.Tick(map[string]bool{"unknown": true}); err == nil {
		t.Error("no error for an unknown criterion")
	}
}

// What is approved includes the text of the folder, and a reworded task is tampering.
func TestFile_adoptedContent(t *testing.T) {
	t.Parallel()
	was, now := folder(t, ""), folder(t, "")
	if was.ContentHash() != now.ContentHash() || len(WeakenedChecks(was, now)) > 0 {
		t.Error("two readings of the same folder differ")
	}
	other := *now.Adopted()
	other.Digest, other.Criteria = "e", slices.Clone(other.Criteria)
	other.Criteria[0].ID = AdoptedID("tasks.md", "T001 Write less")
	now.Adopt(&other)
	if was.ContentHash() == now.ContentHash() || len(WeakenedChecks(was, now)) != 1 {
		t.Errorf("%q", WeakenedChecks(was, now))
	}
	if plain := read(t, "x", "", "# A\n"); plain.ContentHash() != ContentHash(plain.Doc) {
		t.Error("the hash of a spec without a folder changed")
	}
	count := now.Facts(true)
	if count.Content.Criteria != 4 {
		t.Errorf("%+v", count.Content)
	}
}

// Members confirm scenarios for the driver that adopts the same folder.
func TestTickAsMembers_adopted(t *testing.T) {
	t.Parallel()
	driver, member := folder(t, ""), folder(t, "status: completed\nmet: [US1.1]\n")
	got, err := driver.TickAsMembers([]*File{member})
	if err != nil {
		t.Fatal(err)
	}
	if all := got.Criteria(); !all[3].Checked || !all[1].Checked || len(driver.Fields.Met) > 0 {
		t.Errorf("%+v", all)
	}
}

func TestNumberRepeated(t *testing.T) {
	t.Parallel()
	all := []Criterion{{ID: "a"}, {ID: "b"}, {ID: "a"}, {ID: "a"}}
	NumberRepeated(all)
	if all[0].ID != "a" || all[1].ID != "b" || all[2].ID != "a-2" || all[3].ID != "a-3" {
		t.Errorf("%+v", all)
	}
}
