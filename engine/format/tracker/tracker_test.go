package tracker

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

// read reads one file of a tool, as the only task of a folder of Backlog.md.
func read(tool Tool, src string) (Result, error) {
	return Read(tool, []File{{Path: "tasks/a.md", Content: []byte(src)}})
}

// TestRead_words checks what the words of each tool mean.
func TestRead_words(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]spec.Status{
		"open": spec.Pending, "in_progress": spec.InProgress, "blocked": spec.Pending, "deferred": spec.Paused, "closed": spec.Completed,
		"hooked": spec.InProgress, "pinned": spec.Paused, "strange": spec.Pending,
	} {
		r, err := read(Beads, `{"id":"a-1","title":"x","status":"`+word+`"}`)
		assert.NoError(t, err)
		assert.Equal(t, want, r.Items[0].Status, "%s", word)
		kept := len(r.Items[0].Rest) > 0
		assert.Equal(t, word != "open" && word != "closed" && word != "in_progress", kept, "%s: %v", word, r.Items[0].Rest)
	}
	for place, want := range []spec.Status{spec.Pending, spec.InProgress, spec.Completed} {
		got, _ := backlogStatus([]string{"Idea", "At it", "Shipped"}[place], []string{"Idea", "At it", "Shipped"})
		assert.Equal(t, want, got, "status %d of the settings", place)
	}
}

// TestRead_beads reads what the stories do not show: estimates, kinds of dependencies, values of another shape, and an
// item that comes twice.
func TestRead_beads(t *testing.T) {
	t.Parallel()
	r, err := read(Beads, `{"id":"a-1","title":"old"}
{"id":"A-1","title":"new","estimated_minutes":90,"due_at":"2026-03-01T10:00:00+02:00","labels":"one","priority":null,"created_at":"soon","metadata":{"a":[1]},
 "x":1}`)
	fault, ok := errors.AsType[*FileError](err)
	assert.True(t, ok, "%v", err)
	assert.Equal(t, 2, fault.Line)
	r, err = read(Beads, `{"id":"a-1","title":"old"}
{"id":"A-1","title":"new","estimated_minutes":90,"due_at":"2026-03-01T10:00:00+02:00","labels":"one","priority":null,"created_at":"soon","metadata":{"a":[1]},"dependencies":[{"depends_on_id":"b","type":"waits-for"},{"depends_on_id":"c","type":"discovered-from"},{"depends_on_id":"d","type":"duplicates"},{"depends_on_id":"e","type":"parent-child"},{"depends_on_id":"f","type":"parent-child"},{"depends_on_id":"g","type":"related"}]}`)
	assert.NoError(t, err)
	assert.Equal(t, 1, len(r.Items))
	it := r.Items[0]
	assert.Equal(t, "new", it.Title)
	assert.Equal(t, "1.50h", it.Effort)
	assert.Equal(t, "2026-03-01T08:00:00Z", it.Due)
	assert.Equal(t, []string{"one"}, it.Labels)
	assert.Equal(t, []string{"b"}, it.DependsOn)
	assert.Equal(t, []string{"c", "g"}, it.Related)
	assert.Equal(t, "d", it.DuplicateOf)
	assert.Equal(t, "e", it.Parent)
	assert.Equal(t, []Field{{"discovered-from", "c"}, {"further parent", "f"}, {"created_at", "soon"}, {"metadata", `{"a":[1]}`}}, it.Rest)
	assert.Equal(t, []string{"an earlier version of A-1", "when and by whom dependencies were added"}, r.Left)
}

// TestRead_github reads the shapes of newer versions of gh, and the addresses of issues.
func TestRead_github(t *testing.T) {
	t.Parallel()
	r, err := read(GitHub, `[{"number":1,"title":"a","subIssues":{"nodes":[{"number":2},{"number":9}]},"url":"https://github.com/o/r/issues/1"},
		{"number":2,"title":"b","url":"https://github.com/o/r/issues/2","blockedBy":{"nodes":[{"number":1}]},"body":"Blocked by: #1 and x/y#4\nnot #5","issueType":{"name":"Bug"},"reactionGroups":[],"closed":true,"stateReason":"REOPENED"}]`)
	assert.NoError(t, err)
	assert.Equal(t, "o/r#1", r.Items[1].Parent)
	assert.Equal(t, []string{"o/r#1", "x/y#4"}, r.Items[1].DependsOn)
	assert.Equal(t, "Bug", r.Items[1].Type)
	assert.Equal(t, []Field{{"sub-issue", "o/r#9"}}, r.Items[0].Rest)
	one, err := read(GitHub, `{"number":3,"title":"alone"}`)
	assert.NoError(t, err)
	assert.Equal(t, "#3", one.Items[0].ID)
}

// TestRead_garbage refuses files that another program has written.
func TestRead_garbage(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		tool Tool
		src  string
		want string
	}{
		{Backlog, "no front matter", "tasks/a.md:1: a task of Backlog.md has an id in its front matter"},
		{Backlog, "---\nid: [\n---\n", "tasks/a.md:2: "},
		{Beads, "[1]", "tasks/a.md:1: number where the format has something else"},
		{Beads, "{\"id\":\"a\"}\n{\"title\":\"b\"}", "tasks/a.md:2: an issue of beads has an id"},
		{TaskMaster, `{"master":[]}`, `tasks/a.md: the tag "master" has no list of tasks`},
		{TaskMaster, `{"tasks":[{"id":1,"subtasks":[{}]}]}`, `tasks/a.md: task 1 of "master:1" has no id`},
		{GitHub, "[\n{]", "tasks/a.md:2: "},
	} {
		_, err := read(tc.tool, tc.src)
		assert.Error(t, err, "%s %q", tc.tool, tc.src)
		assert.HasPrefix(t, err.Error(), tc.want, "%s %q", tc.tool, tc.src)
	}
}

// fuzz checks that a reader gives each item an id, loses no item of a file that it reads twice, and returns only its own
// errors.
func fuzz(f *testing.F, tool Tool, seeds ...string) {
	for _, seed := range seeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		r, err := read(tool, string(src))
		if err != nil {
			assert.True(t, errors.As(err, new(*FileError)), "%q: %v", src, err)
			return
		}
		for _, it := range r.Items {
			assert.NotEqual(t, "", it.ID)
			assert.False(t, strings.ContainsRune(it.Title+it.Text, '\r'), "%q", src)
			// The record of an import has to give back what was read.
			line, err := json.Marshal(it)
			assert.NoError(t, err)
			var back Item
			assert.NoError(t, json.Unmarshal(line, &back))
			again, err := json.Marshal(back)
			assert.NoError(t, err)
			assert.Equal(t, string(line), string(again))
		}
	})
}

func FuzzBacklog(f *testing.F) {
	fuzz(f, Backlog, "---\nid: A-1\ntitle: x\nassignee: @a\ndependencies: [A-2]\n---\n## Acceptance Criteria\n<!-- AC:BEGIN -->\n- [x] #1 a\n<!-- AC:END -->\n",
		"---\nid: A-1\nx: &a [*a]\n---\n## Comments\n\n<!-- COMMENTS:BEGIN -->\nauthor: b\ncreated: 2026-01-01 10:00\n---\nc\n---\n")
}

func FuzzBeads(f *testing.F) {
	fuzz(f, Beads, `{"id":"a","acceptance_criteria":"- a\n  b\n\nc","comments":[{"text":"x"}],"dependencies":[{"depends_on_id":"b"}]}`, `[{"id":1.5}]`)
}

func FuzzTaskMaster(f *testing.F) {
	fuzz(f, TaskMaster, `{"tasks":[{"id":1,"subtasks":[{"id":"1","dependencies":[1,"2.1"]}]}]}`, `{"a":{"metadata":{"b":1}}}`)
}

func FuzzGitHub(f *testing.F) {
	fuzz(f, GitHub, `[{"number":1,"body":"- Depends on #2, a/b#3","milestone":{"title":"m"}}]`, `{"number":1,"url":"%"}`)
}
