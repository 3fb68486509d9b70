package spec

import (
	"slices"
	"testing"

	"github.com/alecthomas/assert/v2"
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
		assert.Equal(t, 4, len(all), "%q", front)
		assert.Equal(t, 3, all[2].Number, "%q", front)
		assert.True(t, all[2].Checked, "%q: %+v", front, all)
		assert.Equal(t, 4, all[3].Number, "%q", front)
		assert.Equal(t, met, all[3].Checked, "%q", front)
	}
	assert.Zero(t, read(t, "x", "", "# A\n").Criteria())
}

func TestFile_tickAdopted(t *testing.T) {
	t.Parallel()
	s := folder(t, "")
	scenario, task, own := AdoptedID("spec.md", "It works"), AdoptedID("tasks.md", "T001 Write"), s.Criteria()[1].ID
	doc, err := s.Tick(map[string]bool{scenario: true, task: false, own: false})
	assert.NoError(t, err)
	now, err := FromDocument("x", doc)
	assert.NoError(t, err, "%s", doc.Bytes())
	assert.True(t, slices.Equal(now.Fields.Met, []string{scenario}), "%v\n%s", err, doc.Bytes())
	assert.False(t, Criteria(doc)[1].Checked, "%v\n%s", err, doc.Bytes())
	now.Adopt(s.Adopted())
	back, err := now.Tick(map[string]bool{scenario: false, own: true})
	assert.NoError(t, err)
	assert.Equal(t, string(s.Doc.Bytes()), string(back.Bytes()))
	byKey := folder(t, "met: [US1.1, SC-001]")
	doc, err = byKey.Tick(map[string]bool{scenario: false})
	assert.NoError(t, err)
	now, err = FromDocument("x", doc)
	assert.NoError(t, err)
	assert.True(t, slices.Equal(now.Fields.Met, []string{"SC-001"}), "%v, %q", err, now.Fields.Met)
	_, err = s.Tick(map[string]bool{"unknown": true})
	assert.Error(t, err, "no error for an unknown criterion")
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
	assert.Equal(t, 4, count.Content.Criteria, "%+v", count.Content)
}

// Members confirm scenarios for the driver that adopts the same folder.
func TestTickAsMembers_adopted(t *testing.T) {
	t.Parallel()
	driver, member := folder(t, ""), folder(t, "status: completed\nmet: [US1.1]\n")
	got, err := driver.TickAsMembers([]*File{member})
	assert.NoError(t, err)
	all := got.Criteria()
	assert.True(t, all[3].Checked, "%+v", all)
	assert.True(t, all[1].Checked, "%+v", all)
	assert.Zero(t, driver.Fields.Met)
}

func TestNumberRepeated(t *testing.T) {
	t.Parallel()
	all := []Criterion{{ID: "a"}, {ID: "b"}, {ID: "a"}, {ID: "a"}}
	NumberRepeated(all)
	assert.Equal(t, "a", all[0].ID)
	assert.Equal(t, "b", all[1].ID)
	assert.Equal(t, "a-2", all[2].ID)
	assert.Equal(t, "a-3", all[3].ID)
}
