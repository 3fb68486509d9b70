package tasks

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chant/engine"
	"chant/engine/enginetest"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/store"
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
	if err != nil {
		t.Fatal(err)
	}
	return r.Task
}

func patchOf(t *testing.T, text string) Patch {
	t.Helper()
	var patch Patch
	if err := json.Unmarshal([]byte(text), &patch); err != nil {
		t.Fatal(err)
	}
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
	if err != nil {
		t.Fatal(err)
	}
	got := r.Task
	if got.ID != "AUTH-1" || got.Status != "Todo" || got.Priority != "Medium" || got.TaskType != "Feature" || got.Reporter != "ada" || got.Assignee != "ada" ||
		got.Effort != "10.00h" || got.DueDate != "2026-12-01" || got.Description != "All of them." || got.Created == "" || !slices.Equal(got.Tags, []string{"api"}) {
		t.Errorf("%+v", got)
	}
	var names []string
	for _, d := range r.Metadata.AppliedDefaults {
		names = append(names, d.Field)
	}
	if strings.Join(names, " ") != "priority type status reporter" || r.Metadata.EnumHints["projects"][0] != "AUTH" {
		t.Errorf("%q, %v", names, r.Metadata.EnumHints)
	}
	if second := create(t, p, CreateInput{Title: "Second"}); second.ID != "AUTH-2" {
		t.Errorf("%s", second.ID)
	}
	if other := create(t, p, CreateInput{Title: "Third", Project: "WEB"}); other.ID != "WEB-1" {
		t.Errorf("%s", other.ID)
	}
	if after := enginetest.Git(t, engine.Home(p), "rev-list", "--count", "HEAD"); len(after) == 0 || after == before {
		t.Errorf("%s commits after %s", after, before)
	}
	for _, text := range []string{"AUTH-1", "auth-1", got.Spec} {
		if found, err := Get(t.Context(), p, GetInput{ID: text}); err != nil || found.ID != "AUTH-1" {
			t.Errorf("%s: %+v, %v", text, found.ID, err)
		}
	}
	if found, err := Get(t.Context(), p, GetInput{ID: "1", Project: "WEB"}); err != nil || found.ID != "WEB-1" {
		t.Errorf("%+v, %v", found.ID, err)
	}
	if _, err := Get(t.Context(), p, GetInput{ID: "AUTH-99"}); codeOf(err) != task.NotFound {
		t.Errorf("%v", err)
	}
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
	if now := enginetest.Git(t, engine.Home(p), "rev-parse", "HEAD"); now != head {
		t.Error("something was committed")
	}
	if got := enginetest.Git(t, engine.Home(p), "status", "--porcelain"); got != "" {
		t.Errorf("git sees %q", got)
	}
}

// TestUpdate changes fields, and keeps apart what is absent, null and empty.
func TestUpdate(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	create(t, p, CreateInput{Title: "A", Description: "Text.", Assignee: "bob", Tags: []string{"x", "y"}, CustomFields: map[string]any{"product": "Platform"}, Criteria: []string{"It works"}})
	got, err := update(t, p, "AUTH-1", `{"title":"B","priority":"high","tags":["z"],"custom_fields":{"area":["a","b"],"size":3},"effort":"3"}`)
	if err != nil || got.Title != "B" || got.Priority != "High" || !slices.Equal(got.Tags, []string{"z"}) || got.Assignee != "bob" || got.Effort != "3pt" || got.Description != "Text." || got.Open != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if fields, _ := json.Marshal(got.CustomFields); string(fields) != `{"area":["a","b"],"size":3}` {
		t.Errorf("%s", fields)
	}
	got, err = update(t, p, "AUTH-1", `{"assignee":"","effort":null,"custom_fields":null,"tags":[],"description":"Other.\n\nMore."}`)
	if err != nil || got.Assignee != "" || got.Effort != "" || len(got.CustomFields) != 0 || len(got.Tags) != 0 || got.Description != "Other.\n\nMore." || got.Open != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	head := enginetest.Git(t, engine.Home(p), "rev-parse", "HEAD")
	if got, err = update(t, p, "AUTH-1", `{}`); err != nil || got.Title != "B" {
		t.Errorf("nothing: %v", err)
	}
	if now := enginetest.Git(t, engine.Home(p), "rev-parse", "HEAD"); now != head {
		t.Error("an empty patch made a commit")
	}
	if len(got.History) < 2 || got.History[len(got.History)-1].Actor == "" {
		t.Errorf("history: %+v", got.History)
	}
	var bad Patch
	for _, text := range []string{`{"title":null}`, `{"status":""}`, `[1]`, `{"tags":[{}]}`, `{"sprints":"x"}`} {
		if err := json.Unmarshal([]byte(text), &bad); codeOf(err) != task.InvalidParams {
			t.Errorf("%s: %v", text, err)
		}
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
	if err != nil || got.Status != "Done" || got.State != spec.Completed || got.Priority != "High" || got.Assignee != "ada" {
		t.Fatalf("%+v, %v", got, err)
	}
	message := enginetest.Git(t, home, "log", "-1", "--format=%B")
	if !strings.Contains(message, "Chant-Event: start\nChant-Event: complete") || enginetest.Git(t, home, "rev-list", "--count", "HEAD") == before {
		t.Errorf("%q", message)
	}
	if got, err = update(t, p, "AUTH-1", `{"status":"NeedsReview"}`); err != nil || got.Status != "NeedsReview" || got.State != spec.InProgress {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err = update(t, p, "AUTH-1", `{"status":"InProgress"}`); err != nil || got.Status != "InProgress" || got.State != spec.InProgress {
		t.Errorf("another word for the same status: %+v, %v", got, err)
	}
	create(t, p, CreateInput{Title: "Open", Criteria: []string{"It works"}})
	if _, err = update(t, p, "AUTH-2", `{"status":"Done","priority":"Low"}`); err == nil || !strings.Contains(err.Error(), "It works") {
		t.Errorf("%v", err)
	}
	for _, cheat := range []string{"## Acceptance Criteria\n\n- [x] It works", "## Acceptance Criteria\n\nNone.", "# Acceptance criteria\n\n- [x] Fine"} {
		patch, err := json.Marshal(map[string]string{"status": "Done", "priority": "Low", "description": cheat})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := update(t, p, "AUTH-2", string(patch)); err == nil {
			t.Errorf("done with %q", cheat)
		}
	}
	if got, _ = Get(t.Context(), p, GetInput{ID: "AUTH-2"}); got.Status != "Todo" || got.Priority != "Medium" {
		t.Errorf("half of it was written: %+v", got)
	}
}

// TestUpdate_blocks writes the dependency into the other spec.
func TestUpdate_blocks(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	create(t, p, CreateInput{Title: "A"})
	create(t, p, CreateInput{Title: "B"})
	got, err := update(t, p, "AUTH-1", `{"relationships":{"blocks":["AUTH-2"],"related":["AUTH-2"]}}`)
	if err != nil || got.Relationships == nil || !slices.Equal(got.Relationships.Blocks, []string{"AUTH-2"}) {
		t.Fatalf("%+v, %v", got.Relationships, err)
	}
	other, err := Get(t.Context(), p, GetInput{ID: "AUTH-2"})
	if err != nil || other.Relationships == nil || !slices.Equal(other.Relationships.DependsOn, []string{"AUTH-1"}) {
		t.Errorf("%+v, %v", other.Relationships, err)
	}
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
		if _, err := update(t, p, "AUTH-1", bad); codeOf(err) != task.InvalidParams {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if got, err = update(t, p, "AUTH-1", `{"relationships":null}`); err != nil || got.Relationships != nil {
		t.Errorf("%+v, %v", got.Relationships, err)
	}
	for range 2 {
		r, err := Delete(t.Context(), p, DeleteInput{ID: "AUTH-1"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Get(t.Context(), p, GetInput{ID: "AUTH-1"}); codeOf(err) != task.NotFound {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if next := create(t, p, CreateInput{Title: "C"}); next.ID != "AUTH-3" {
		t.Errorf("a number was given twice, or one was left out: %s", next.ID)
	}
}

// TestDelete_keepsText deletes only what the history has.
func TestDelete_keepsText(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	home := engine.Home(p)
	made := create(t, p, CreateInput{Title: "A"})
	s, err := engine.Find(t.Context(), p, made.ID)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(home, store.SpecPath(s))
	enginetest.Write(t, home, store.SpecPath(s), enginetest.Read(t, home, store.SpecPath(s))+"\nOnly here.\n")
	if _, err := Delete(t.Context(), p, DeleteInput{ID: made.ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the spec was not deleted")
	}
	if got := enginetest.Git(t, home, "show", "HEAD~1:"+store.SpecPath(s)); !strings.Contains(got, "Only here.") {
		t.Errorf("the history has only %s", got)
	}
}

// TestDelete_ignored leaves a spec of which git has no copy.
func TestDelete_ignored(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	enginetest.Write(t, engine.Home(p), ".git/info/exclude", ".chant/\n")
	made := create(t, p, CreateInput{Title: "A"})
	if _, err := Delete(t.Context(), p, DeleteInput{ID: made.ID}); codeOf(err) != task.DeleteFailed {
		t.Errorf("%v", err)
	}
	if _, err := Get(t.Context(), p, GetInput{ID: made.ID}); err != nil {
		t.Error(err)
	}
}

// TestCreate_approval does not start a task that needs an approval.
func TestCreate_approval(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	p.Store.Rules = []spec.ApprovalRule{{Label: "gated", Count: 1}}
	if _, err := Create(t.Context(), p, CreateInput{Title: "A", Status: "InProgress", Tags: []string{"gated"}}); err == nil {
		t.Error("a task was started without the approval that it needs")
	}
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
	if err != nil || len(r.Updated) != 2 || len(r.Failed) != 1 || r.Failed[0].ID != "AUTH-9" || r.Updated[1].Status != "Done" {
		t.Fatalf("%+v, %v", r, err)
	}
	if parent := enginetest.Git(t, home, "rev-parse", "HEAD~1"); parent != before {
		t.Error("not one commit")
	}
	var ids IDList
	for text, want := range map[string]int{`["AUTH-1", null, {}, 3]`: 1, `"AUTH-1, AUTH-2"`: 2, `[]`: 0} {
		if err := json.Unmarshal([]byte(text), &ids); err != nil || len(ids) != want {
			t.Errorf("%s: %q, %v", text, ids, err)
		}
	}
	in.StopOnError, in.IDs = true, []string{"AUTH-9", "AUTH-3"}
	if r, err = BulkUpdate(t.Context(), p, in); err != nil || len(r.Updated) != 0 || len(r.Failed) != 1 || !slices.Equal(r.Skipped, []string{"AUTH-3"}) {
		t.Errorf("%+v, %v", r, err)
	}
	in.Patch = patchOf(t, `{"priority":"none"}`)
	if _, err = BulkUpdate(t.Context(), p, in); codeOf(err) != task.InvalidParams {
		t.Errorf("%v", err)
	}
	c, err := BulkComment(t.Context(), p, BulkCommentInput{BulkInput{IDs: []string{"1", "3"}}, " Hello "})
	if err != nil || len(c.Updated) != 2 || c.Updated[0].Comments[0].Text != "Hello" || c.Updated[0].Comments[0].Author != "ada" {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := BulkComment(t.Context(), p, BulkCommentInput{BulkInput{IDs: []string{" "}}, "x"}); codeOf(err) != task.InvalidParams {
		t.Errorf("%v", err)
	}
}

func TestCommentUpdate(t *testing.T) {
	t.Parallel()
	p := workspace(t, lotarConfig)
	create(t, p, CreateInput{Title: "A"})
	if _, err := CommentAdd(t.Context(), p, CommentInput{ID: "AUTH-1", Text: "First"}); err != nil {
		t.Fatal(err)
	}
	in := CommentUpdateInput{CommentInput{ID: "AUTH-1", Text: "Second"}, 0}
	for range 2 {
		r, err := CommentUpdate(t.Context(), p, in)
		if err != nil || len(r.Task.Comments) != 1 || r.Task.Comments[0].Text != "Second" || *r.Index != 0 {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	in.Index = 1
	if _, err := CommentUpdate(t.Context(), p, in); codeOf(err) != task.InvalidParams {
		t.Errorf("%v", err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := add("link", "https://a.b/c"); !r.Changed || len(r.Task.References) != 1 {
		t.Errorf("%+v", r)
	}
	if r := add("code", "src/a.go#L1-L2"); !r.Changed {
		t.Errorf("%+v", r)
	}
	if r := add("code", "src/a.go#1-2"); r.Changed {
		t.Errorf("twice: %+v", r)
	}
	r, err := ReferenceRemove(t.Context(), p, ReferenceInput{ID: "AUTH-1", Kind: "code", Value: "src/a.go#L1-2"})
	if err != nil || !r.Changed || len(r.Task.References) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	for _, bad := range [][2]string{{"file", "../../etc/passwd"}, {"file", "none.go"}, {"link", "javascript:x"}, {"page", "3"}, {"", "x"}} {
		if _, err := ReferenceAdd(t.Context(), p, ReferenceInput{ID: "AUTH-1", Kind: bad[0], Value: bad[1]}); err == nil {
			t.Errorf("%v was accepted", bad)
		}
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
		if err := json.Unmarshal([]byte(c.in), &in); err != nil {
			t.Fatal(err)
		}
		r, err := List(t.Context(), p, in)
		var ids []string
		for _, one := range r.Tasks {
			ids = append(ids, one.ID)
		}
		if got := strings.Join(ids, " "); err != nil || got != c.want || r.Count != len(ids) {
			t.Errorf("%s: %q, %v, want %q", name, got, err, c.want)
		}
	}
	r, err := List(t.Context(), p, ListInput{Limit: 6})
	if err != nil || !r.HasMore || *r.NextCursor != 6 || !strings.Contains(r.Message, "page 1 of 2") || !strings.Contains(r.Message, "cursor=6") {
		t.Errorf("%+v, %v", r, err)
	}
	if r, _ = List(t.Context(), p, ListInput{Limit: 6, Cursor: 6}); r.HasMore || r.NextCursor != nil || !strings.Contains(r.Message, "last page") {
		t.Errorf("%+v", r)
	}
	for _, bad := range []string{`{"status":"Doing"}`, `{"limit":0}`, `{"limit":201}`, `{"limit":-1}`, `{"cursor":-1}`, `{"priority":"x"}`, `{"custom_fields":{"a":{}}}`, `{"sort":"size"}`} {
		var in ListInput
		err := json.Unmarshal([]byte(bad), &in)
		if err == nil {
			_, err = List(t.Context(), p, in)
		}
		if err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}
