package tasks

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/evidence/sandbox"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/store"

	"github.com/alecthomas/assert/v2"
)

const lotarConfig = "default:\n  project: AUTH\n  reporter: ada\nissue:\n  states: [Todo, InProgress, NeedsReview, Done]\n  priorities: [Low, Medium, High]\n  types: [Feature, Bug, Chore]\nmembers: [ada, bob]\n"

// workspace returns a project with a .tasks directory.
func workspace(t *testing.T, config string) *engine.Project {
	t.Helper()
	p, dir := enginetest.Project(t)
	enginetest.Commit(t, dir, map[string]string{".tasks/config.yml": config})
	return p
}

func create(t *testing.T, p *engine.Project, in CreateInput) task.Task {
	t.Helper()
	r, err := Create(t.Context(), p, in)
	assert.NoError(t, err)
	return r.Task
}

func patchOf(t *testing.T, text string) Patch {
	t.Helper()
	var patch Patch
	assert.NoError(t, json.Unmarshal([]byte(text), &patch))
	return patch
}

func update(t *testing.T, p *engine.Project, id, patch string) (task.Task, error) {
	t.Helper()
	return Update(t.Context(), p, UpdateInput{ID: id, Patch: patchOf(t, patch)})
}

func codeOf(err error) int {
	var fault *task.Fault
	if errors.As(err, &fault) {
		return fault.Code
	}
	return 0
}

// TestCreate gives numbers, applies defaults and makes one commit.
func TestCreate(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	before := enginetest.Git(t, engine.Home(p), "rev-list", "--count", "HEAD")
	r, err := Create(t.Context(), p, CreateInput{Title: "Parse dates", Description: "All of them.", Assignee: "@me", Tags: []string{"api"}, Effort: "1d 2h", DueDate: "2026-12-01"})
	assert.NoError(t, err)
	got := r.Task
	assert.Equal(t, "AUTH-1", got.ID)
	assert.Equal(t, "Todo", got.Status)
	assert.Equal(t, "Medium", got.Priority)
	assert.Equal(t, "Feature", got.TaskType)
	assert.Equal(t, "ada", got.Reporter)
	assert.Equal(t, "ada", got.Assignee)
	assert.Equal(t, "10.00h", got.Effort)
	assert.Equal(t, "2026-12-01", got.DueDate)
	assert.Equal(t, "All of them.", got.Description)
	assert.NotEqual(t, "", got.Created)
	assert.Equal(t, []string{"api"}, got.Tags)
	var names []string
	for _, d := range r.Metadata.AppliedDefaults {
		names = append(names, d.Field)
	}
	assert.Equal(t, "priority type status reporter", strings.Join(names, " "))
	assert.Equal(t, "AUTH", r.Metadata.EnumHints["projects"][0])
	assert.Equal(t, "AUTH-2", create(t, p, CreateInput{Title: "Second"}).ID)
	assert.Equal(t, "WEB-1", create(t, p, CreateInput{Title: "Third", Project: "WEB"}).ID)
	after := enginetest.Git(t, engine.Home(p), "rev-list", "--count", "HEAD")
	assert.NotEqual(t, 0, len(after))
	assert.NotEqual(t, before, after)
	for _, text := range []string{"AUTH-1", "auth-1", got.Spec} {
		found, err := Get(t.Context(), p, GetInput{ID: text})
		assert.NoError(t, err, "%s", text)
		assert.Equal(t, "AUTH-1", found.ID, "%s", text)
	}
	found, err := Get(t.Context(), p, GetInput{ID: "1", Project: "WEB"})
	assert.NoError(t, err)
	assert.Equal(t, "WEB-1", found.ID)
	_, err = Get(t.Context(), p, GetInput{ID: "AUTH-99"})
	assert.Equal(t, task.NotFound, codeOf(err))
}

// TestCreate_refused writes nothing for a value that is not allowed.
func TestCreate_refused(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig+"strict_members: true\n")
	head := enginetest.Git(t, engine.Home(p), "rev-parse", "HEAD")
	for name, c := range map[string]struct {
		in   CreateInput
		code int
		text string
	}{
		"no title":         {CreateInput{Title: " "}, task.InvalidParams, "title"},
		"a priority":       {CreateInput{Title: "A", Priority: "Hihg"}, task.InvalidParams, "Priority validation failed"},
		"a type":           {CreateInput{Title: "A", Type: "Epic"}, task.InvalidParams, "Type validation failed"},
		"a status":         {CreateInput{Title: "A", Status: "Doing"}, task.InvalidParams, "Status validation failed"},
		"a person":         {CreateInput{Title: "A", Assignee: "eve"}, task.CreateFailed, "Assignee 'eve' is not in configured members"},
		"a sprint":         {CreateInput{Title: "A", Sprints: []int{4}}, task.NotFound, "Sprint #4"},
		"a related task":   {CreateInput{Title: "A", Relationships: &task.Relationships{Parent: "AUTH-9"}}, task.NotFound, "Task not found"},
		"a day":            {CreateInput{Title: "A", DueDate: "someday"}, task.InvalidParams, "someday"},
		"a reserved field": {CreateInput{Title: "A", CustomFields: map[string]any{"status": "x"}}, task.InvalidParams, "status"},
		"a prefix":         {CreateInput{Title: "A", Project: "../x"}, task.InvalidParams, "prefix"},
	} {
		_, err := Create(t.Context(), p, c.in)
		text := ""
		if err != nil {
			text = err.Error()
			var fault *task.Fault
			if errors.As(err, &fault) {
				text += " " + fault.Message
			}
		}
		if codeOf(err) != c.code || !strings.Contains(text, c.text) {
			t.Errorf("%s: %d %q", name, codeOf(err), text)
		}
	}
	assert.Equal(t, head, enginetest.Git(t, engine.Home(p), "rev-parse", "HEAD"), "something was committed")
	assert.Equal(t, "", enginetest.Git(t, engine.Home(p), "status", "--porcelain"))
}

// TestUpdate changes fields, and keeps apart what is absent, null and empty.
func TestUpdate(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	create(t, p, CreateInput{Title: "A", Description: "Text.", Assignee: "bob", Tags: []string{"x", "y"}, CustomFields: map[string]any{"product": "Platform"}, Criteria: []string{"It works"}})
	got, err := update(t, p, "AUTH-1", `{"title":"B","priority":"high","tags":["z"],"custom_fields":{"area":["a","b"],"size":3},"effort":"3"}`)
	assert.NoError(t, err)
	assert.Equal(t, "B", got.Title)
	assert.Equal(t, "High", got.Priority)
	assert.Equal(t, []string{"z"}, got.Tags)
	assert.Equal(t, "bob", got.Assignee)
	assert.Equal(t, "3pt", got.Effort)
	assert.Equal(t, "Text.", got.Description)
	assert.Equal(t, 1, got.Open)
	fields, _ := json.Marshal(got.CustomFields)
	assert.Equal(t, `{"area":["a","b"],"size":3}`, string(fields))
	got, err = update(t, p, "AUTH-1", `{"assignee":"","effort":null,"custom_fields":null,"tags":[],"description":"Other.\n\nMore."}`)
	assert.NoError(t, err)
	assert.Equal(t, "", got.Assignee)
	assert.Equal(t, "", got.Effort)
	assert.Zero(t, got.CustomFields)
	assert.Zero(t, got.Tags)
	assert.Equal(t, "Other.\n\nMore.", got.Description)
	assert.Equal(t, 1, got.Open)
	head := enginetest.Git(t, engine.Home(p), "rev-parse", "HEAD")
	got, err = update(t, p, "AUTH-1", `{}`)
	assert.NoError(t, err)
	assert.Equal(t, "B", got.Title)
	assert.Equal(t, head, enginetest.Git(t, engine.Home(p), "rev-parse", "HEAD"), "an empty patch made a commit")
	assert.True(t, len(got.History) >= 2, "history: %+v", got.History)
	assert.NotEqual(t, "", got.History[len(got.History)-1].Actor)
	var bad Patch
	for _, text := range []string{`{"title":null}`, `{"status":""}`, `[1]`, `{"tags":[{}]}`, `{"sprints":"x"}`} {
		err := json.Unmarshal([]byte(text), &bad)
		assert.Equal(t, task.InvalidParams, codeOf(err), "%s", text)
	}
}

// TestUpdate_status goes through the state machine in one commit, and is refused where a gate refuses it.
func TestUpdate_status(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	home := engine.Home(p)
	create(t, p, CreateInput{Title: "Free"})
	before := enginetest.Git(t, home, "rev-list", "--count", "HEAD")
	got, err := update(t, p, "AUTH-1", `{"status":"done","priority":"High"}`)
	assert.NoError(t, err)
	assert.Equal(t, "Done", got.Status)
	assert.Equal(t, spec.Completed, got.State)
	assert.Equal(t, "High", got.Priority)
	assert.Equal(t, "ada", got.Assignee)
	message := enginetest.Git(t, home, "log", "-1", "--format=%B")
	assert.Contains(t, message, "Chant-Event: start\nChant-Event: complete")
	assert.NotEqual(t, before, enginetest.Git(t, home, "rev-list", "--count", "HEAD"))
	got, err = update(t, p, "AUTH-1", `{"status":"NeedsReview"}`)
	assert.NoError(t, err)
	assert.Equal(t, "NeedsReview", got.Status)
	assert.Equal(t, spec.InProgress, got.State)
	got, err = update(t, p, "AUTH-1", `{"status":"InProgress"}`)
	assert.NoError(t, err, "another word for the same status")
	assert.Equal(t, "InProgress", got.Status, "another word for the same status")
	assert.Equal(t, spec.InProgress, got.State, "another word for the same status")
	create(t, p, CreateInput{Title: "Open", Criteria: []string{"It works"}})
	_, err = update(t, p, "AUTH-2", `{"status":"Done","priority":"Low"}`)
	assert.Error(t, err)
	assert.Contains(t, err.Error(), "It works")
	for _, cheat := range []string{"## Acceptance Criteria\n\n- [x] It works", "## Acceptance Criteria\n\nNone.", "# Acceptance criteria\n\n- [x] Fine"} {
		patch, err := json.Marshal(map[string]string{"status": "Done", "priority": "Low", "description": cheat})
		assert.NoError(t, err)
		_, err = update(t, p, "AUTH-2", string(patch))
		assert.Error(t, err, "done with %q", cheat)
	}
	got, _ = Get(t.Context(), p, GetInput{ID: "AUTH-2"})
	assert.Equal(t, "Todo", got.Status, "half of it was written")
	assert.Equal(t, "Medium", got.Priority, "half of it was written")
}

// TestUpdate_blocks writes the dependency into the other spec.
func TestUpdate_blocks(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	create(t, p, CreateInput{Title: "A"})
	create(t, p, CreateInput{Title: "B"})
	got, err := update(t, p, "AUTH-1", `{"relationships":{"blocks":["AUTH-2"],"related":["AUTH-2"]}}`)
	assert.NoError(t, err)
	assert.True(t, got.Relationships != nil, "%+v, %v", got.Relationships, err)
	assert.Equal(t, []string{"AUTH-2"}, got.Relationships.Blocks)
	other, err := Get(t.Context(), p, GetInput{ID: "AUTH-2"})
	assert.NoError(t, err)
	assert.True(t, other.Relationships != nil, "%+v, %v", other.Relationships, err)
	assert.Equal(t, []string{"AUTH-1"}, other.Relationships.DependsOn)
	if _, err := update(t, p, "AUTH-1", `{"relationships":{"depends_on":["AUTH-2"],"blocks":["AUTH-2"]}}`); err == nil {
		t.Error("a circle was accepted")
	}
	if _, err := Delete(t.Context(), p, DeleteInput{ID: "AUTH-1"}); codeOf(err) != task.DeleteFailed {
		t.Errorf("%v", err)
	}
	if _, err := update(t, p, "AUTH-2", `{"relationships":{"depends_on":["AUTH-1"],"parent":"AUTH-1"}}`); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{`{"relationships":{"parent":"AUTH-2"}}`, `{"relationships":{"parent":"AUTH-1"}}`, `{"relationships":{"blocks":["AUTH-2"],"parent":"AUTH-2"}}`} {
		_, err := update(t, p, "AUTH-1", bad)
		assert.Equal(t, task.InvalidParams, codeOf(err), "%s", bad)
	}
	got, err = update(t, p, "AUTH-1", `{"relationships":null}`)
	assert.NoError(t, err)
	assert.True(t, got.Relationships == nil, "%+v, %v", got.Relationships, err)
	for range 2 {
		r, err := Delete(t.Context(), p, DeleteInput{ID: "AUTH-1"})
		assert.NoError(t, err)
		_, err = Get(t.Context(), p, GetInput{ID: "AUTH-1"})
		assert.Equal(t, task.NotFound, codeOf(err), "%+v", r)
	}
	assert.Equal(t, "AUTH-3", create(t, p, CreateInput{Title: "C"}).ID, "a number was given twice, or one was left out")
}

// TestBlocks_insideRun: the agent of a run has no other spec wait, nor makes one wait no longer, by a task that it creates or
// changes.
func TestBlocks_insideRun(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	create(t, p, CreateInput{Title: "A"})
	create(t, p, CreateInput{Title: "B"})
	_, err := update(t, p, "AUTH-1", `{"relationships":{"blocks":["AUTH-2"]}}`)
	assert.NoError(t, err)
	before := enginetest.Git(t, engine.Home(p), "rev-parse", "HEAD")
	s, err := engine.Find(t.Context(), p, "AUTH-1")
	assert.NoError(t, err)
	p.Environ = append(p.Environ, sandbox.SpecKey+"="+s)
	inside := `you are inside the run of "` + s + `"`
	_, err = Create(t.Context(), p, CreateInput{Title: "C", Relationships: &task.Relationships{Blocks: []string{"AUTH-2"}}})
	assert.Contains(t, enginetest.Refusal(err), inside, "a new task that blocks another one")
	for _, patch := range []string{`{"relationships":{"blocks":[]}}`, `{"relationships":{"blocks":["AUTH-2"]}}`} {
		_, err = update(t, p, "AUTH-2", patch)
		assert.Contains(t, enginetest.Refusal(err), inside, "%s of another task", patch)
	}
	assert.Equal(t, before, enginetest.Git(t, engine.Home(p), "rev-parse", "HEAD"), "another spec has changed")
	create(t, p, CreateInput{Title: "C", Relationships: &task.Relationships{DependsOn: []string{"AUTH-2"}}})
}

// TestDelete_keepsText deletes only what the history has.
func TestDelete_keepsText(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	home := engine.Home(p)
	made := create(t, p, CreateInput{Title: "A"})
	s, err := engine.Find(t.Context(), p, made.ID)
	assert.NoError(t, err)
	file := filepath.Join(home, store.SpecPath(s))
	enginetest.Write(t, home, store.SpecPath(s), enginetest.Read(t, home, store.SpecPath(s))+"\nOnly here.\n")
	_, err = Delete(t.Context(), p, DeleteInput{ID: made.ID})
	assert.NoError(t, err)
	_, err = os.Stat(file)
	assert.Error(t, err, "the spec was not deleted")
	assert.Contains(t, enginetest.Git(t, home, "show", "HEAD~1:"+store.SpecPath(s)), "Only here.", "the history has only")
}

// TestDelete_ignored leaves a spec of which git has no copy.
func TestDelete_ignored(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	enginetest.Write(t, engine.Home(p), ".git/info/exclude", ".chant/\n")
	made := create(t, p, CreateInput{Title: "A"})
	_, err := Delete(t.Context(), p, DeleteInput{ID: made.ID})
	assert.Equal(t, task.DeleteFailed, codeOf(err))
	_, err = Get(t.Context(), p, GetInput{ID: made.ID})
	assert.NoError(t, err)
}

// TestCreate_approval does not start a task that needs an approval.
func TestCreate_approval(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	p.Store.Rules = []spec.ApprovalRule{{Label: "gated", Count: 1}}
	_, err := Create(t.Context(), p, CreateInput{Title: "A", Status: "InProgress", Tags: []string{"gated"}})
	assert.Error(t, err, "a task was started without the approval that it needs")
	create(t, p, CreateInput{Title: "B"})
}

// TestBulk changes several tasks in one commit; one that fails is named, and stops the call if asked.
func TestBulk(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	home := engine.Home(p)
	for _, title := range []string{"A", "B", "C"} {
		create(t, p, CreateInput{Title: title})
	}
	before := enginetest.Git(t, home, "rev-parse", "HEAD")
	in := BulkUpdateInput{BulkInput: BulkInput{IDs: []string{"AUTH-1", "AUTH-9", " ", "AUTH-2", "AUTH-1"}}, Patch: patchOf(t, `{"status":"Done"}`)}
	r, err := BulkUpdate(t.Context(), p, in)
	assert.NoError(t, err)
	assert.Equal(t, 2, len(r.Updated))
	assert.Equal(t, 1, len(r.Failed))
	assert.Equal(t, "AUTH-9", r.Failed[0].ID)
	assert.Equal(t, "Done", r.Updated[1].Status)
	assert.Equal(t, before, enginetest.Git(t, home, "rev-parse", "HEAD~1"), "not one commit")
	var ids IDList
	for text, want := range map[string]int{`["AUTH-1", null, {}, 3]`: 1, `"AUTH-1, AUTH-2"`: 2, `[]`: 0} {
		assert.NoError(t, json.Unmarshal([]byte(text), &ids), "%s: %q", text, ids)
		assert.Equal(t, want, len(ids), "%s: %q", text, ids)
	}
	in.StopOnError, in.IDs = true, []string{"AUTH-9", "AUTH-3"}
	r, err = BulkUpdate(t.Context(), p, in)
	assert.NoError(t, err)
	assert.Zero(t, r.Updated)
	assert.Equal(t, 1, len(r.Failed))
	assert.Equal(t, []string{"AUTH-3"}, r.Skipped)
	in.Patch = patchOf(t, `{"priority":"none"}`)
	_, err = BulkUpdate(t.Context(), p, in)
	assert.Equal(t, task.InvalidParams, codeOf(err))
	c, err := BulkComment(t.Context(), p, BulkCommentInput{BulkInput{IDs: []string{"1", "3"}}, " Hello "})
	assert.NoError(t, err)
	assert.Equal(t, 2, len(c.Updated))
	assert.Equal(t, "Hello", c.Updated[0].Comments[0].Text)
	assert.Equal(t, "ada", c.Updated[0].Comments[0].Author)
	_, err = BulkComment(t.Context(), p, BulkCommentInput{BulkInput{IDs: []string{" "}}, "x"})
	assert.Equal(t, task.InvalidParams, codeOf(err))
}

func TestCommentUpdate(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	create(t, p, CreateInput{Title: "A"})
	_, err := CommentAdd(t.Context(), p, CommentInput{ID: "AUTH-1", Text: "First"})
	assert.NoError(t, err)
	in := CommentUpdateInput{CommentInput{ID: "AUTH-1", Text: "Second"}, 0}
	for range 2 {
		r, err := CommentUpdate(t.Context(), p, in)
		assert.NoError(t, err)
		assert.Equal(t, 1, len(r.Task.Comments))
		assert.Equal(t, "Second", r.Task.Comments[0].Text)
		assert.Equal(t, 0, *r.Index)
	}
	in.Index = 1
	_, err = CommentUpdate(t.Context(), p, in)
	assert.Equal(t, task.InvalidParams, codeOf(err))
}

// TestReference adds and removes references in their stored forms.
func TestReference(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	enginetest.Write(t, engine.Home(p), "src/a.go", "1\n2\n3\n")
	create(t, p, CreateInput{Title: "A"})
	add := func(kind, value string) ReferenceResult {
		t.Helper()
		r, err := ReferenceAdd(t.Context(), p, ReferenceInput{ID: "AUTH-1", Kind: kind, Value: value})
		assert.NoError(t, err)
		return r
	}
	r := add("link", "https://a.b/c")
	assert.True(t, r.Changed, "%+v", r)
	assert.Equal(t, 1, len(r.Task.References))
	r = add("code", "src/a.go#L1-L2")
	assert.True(t, r.Changed, "%+v", r)
	r = add("code", "src/a.go#1-2")
	assert.False(t, r.Changed, "twice: %+v", r)
	r, err := ReferenceRemove(t.Context(), p, ReferenceInput{ID: "AUTH-1", Kind: "code", Value: "src/a.go#L1-2"})
	assert.NoError(t, err)
	assert.True(t, r.Changed, "%+v, %v", r, err)
	assert.Equal(t, 1, len(r.Task.References))
	for _, bad := range [][2]string{{"file", "../../etc/passwd"}, {"file", "none.go"}, {"link", "javascript:x"}, {"page", "3"}, {"", "x"}} {
		_, err := ReferenceAdd(t.Context(), p, ReferenceInput{ID: "AUTH-1", Kind: bad[0], Value: bad[1]})
		assert.Error(t, err, "%v was accepted", bad)
	}
}

// TestList filters, pages and sorts.
func TestList(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	create(t, p, CreateInput{Title: "A", Tags: []string{"back_end"}, Assignee: "@me", Priority: "Low", CustomFields: map[string]any{"product": "Platform"}})
	create(t, p, CreateInput{Title: "B", Description: "needle", Priority: "High"})
	for range 9 {
		create(t, p, CreateInput{Title: "Other", Project: "WEB"})
	}
	for name, c := range map[string]struct{ in, want string }{
		"all, in natural order": {`{"project":"WEB"}`, "WEB-1 WEB-2 WEB-3 WEB-4 WEB-5 WEB-6 WEB-7 WEB-8 WEB-9"},
		"a tag":                 {`{"tag":"Backend"}`, "AUTH-1"},
		"the caller":            {`{"assignee":"@me"}`, "AUTH-1"},
		"several":               {`{"priority":"low, high"}`, "AUTH-1 AUTH-2"},
		"a text":                {`{"search":"NEEDLE"}`, "AUTH-2"},
		"a field":               {`{"custom_fields":{"Product":"platform"}}`, "AUTH-1"},
		"none":                  {`{"status":["Done"]}`, ""},
		"sorted":                {`{"project":"AUTH","sort":"priority"}`, "AUTH-2 AUTH-1"},
		"paged":                 {`{"limit":"2","offset":10}`, "WEB-9"},
		"behind the end":        {`{"cursor":99}`, ""},
	} {
		var in ListInput
		assert.NoError(t, json.Unmarshal([]byte(c.in), &in))
		r, err := List(t.Context(), p, in)
		var ids []string
		for _, one := range r.Tasks {
			ids = append(ids, one.ID)
		}
		got := strings.Join(ids, " ")
		assert.NoError(t, err, "%s", name)
		assert.Equal(t, c.want, got, "%s", name)
		assert.Equal(t, len(ids), r.Count, "%s", name)
	}
	r, err := List(t.Context(), p, ListInput{Limit: 6})
	assert.NoError(t, err)
	assert.True(t, r.HasMore, "%+v, %v", r, err)
	assert.Equal(t, 6, *r.NextCursor)
	assert.Contains(t, r.Message, "page 1 of 2")
	assert.Contains(t, r.Message, "cursor=6")
	r, _ = List(t.Context(), p, ListInput{Limit: 6, Cursor: 6})
	assert.False(t, r.HasMore, "%+v", r)
	assert.Zero(t, r.NextCursor)
	assert.Contains(t, r.Message, "last page")
	for _, bad := range []string{`{"status":"Doing"}`, `{"limit":0}`, `{"limit":201}`, `{"limit":-1}`, `{"cursor":-1}`, `{"priority":"x"}`, `{"custom_fields":{"a":{}}}`, `{"sort":"size"}`} {
		var in ListInput
		err := json.Unmarshal([]byte(bad), &in)
		if err == nil {
			_, err = List(t.Context(), p, in)
		}
		assert.Error(t, err, "%s was accepted", bad)
	}
}
