package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"chant/engine"
	"chant/engine/spec"
	"chant/engine/spec/task"
	"chant/engine/store"
	"chant/engine/task/taskboard"
	"chant/markdown"
)

// ListInput selects tasks. Of the values of one filter any may match, and every filter must.
type ListInput struct {
	Project      string              `json:"project,omitempty" jsonschema:"Prefix"`
	Status       []string            `json:"status,omitempty" jsonschema:"Statuses"`
	Priority     []string            `json:"priority,omitempty" jsonschema:"Priorities"`
	Type         []string            `json:"type,omitempty" jsonschema:"Types"`
	Tags         []string            `json:"tags,omitempty" jsonschema:"Tags, or parts of them"`
	Assignee     string              `json:"assignee,omitempty" jsonschema:"Name, or @me"`
	Search       string              `json:"search,omitempty" jsonschema:"Text in id, title, subtitle, description or tags"`
	CustomFields map[string][]string `json:"custom_fields,omitempty" jsonschema:"Values of custom fields"`
	Sprints      []int               `json:"sprints,omitempty" jsonschema:"Sprints"`
	Sort         string              `json:"sort,omitempty" jsonschema:"id, priority, due_date, created, modified, status or title" schema:"enum=id|priority|due_date|created|modified|status|title"`
	Reverse      bool                `json:"reverse,omitempty" jsonschema:"Last first"`
	Limit        int                 `json:"limit,omitempty" jsonschema:"Tasks on a page" schema:"min=1,max=200,default=50"`
	Cursor       int                 `json:"cursor,omitempty" jsonschema:"First task of the page, from 0" schema:"min=0"`

	Open bool `json:"-"` // only tasks that are neither completed nor cancelled
}

// ListResult is a page of tasks.
type ListResult struct {
	Status     string              `json:"status"` // ok
	Message    string              `json:"message"`
	Count      int                 `json:"count"`
	Total      int                 `json:"total"`
	Cursor     int                 `json:"cursor"`
	Limit      int                 `json:"limit"`
	Page       int                 `json:"page"` // from 1
	TotalPages int                 `json:"totalPages"`
	HasMore    bool                `json:"hasMore"`
	NextCursor *int                `json:"nextCursor"` // null on the last page
	Tasks      []task.Task         `json:"tasks"`
	EnumHints  map[string][]string `json:"enumHints,omitempty"`
}

// The limits of a page of tasks.
const (
	defaultLimit = 50
	maxLimit     = 200
)

// List returns a page of the active tasks that a filter selects, in natural order of their numbers or as sorted.
// Errors: Usage for a value that the settings do not have, and for a limit out of range.
func List(ctx context.Context, p *engine.Project, in ListInput) (ListResult, error) {
	board, err := taskboard.Open(ctx, p, in.Project)
	if err != nil {
		return ListResult{}, err
	}
	limit, err := PageLimit(in.Limit, defaultLimit, maxLimit)
	if err != nil {
		return ListResult{}, asEngineError(err, "")
	}
	if in.Cursor < 0 {
		return ListResult{}, asEngineError(task.Invalid("cursor must be a positive integer"), "")
	}
	f, err := in.filter(ctx, p, board)
	if err != nil {
		return ListResult{}, asEngineError(err, "")
	}
	set, err := p.Recall.Load(ctx, p.Store)
	if err != nil {
		return ListResult{}, asEngineError(err, "")
	}
	result, err := in.page(ctx, p, board, f, limit, set.Specs)
	return result, asEngineError(err, "")
}

// page returns the page of the specs that a filter selects.
func (in ListInput) page(ctx context.Context, p *engine.Project, board taskboard.Board, f task.Filter, limit int, specs []*spec.Spec) (ListResult, error) {
	if err := board.CheckProject(f.Project, specs); err != nil {
		return ListResult{}, err
	}
	var found []*spec.Spec
	for _, s := range specs {
		if in.Open && (s.Status == spec.Completed || s.Status == spec.Cancelled) {
			continue
		}
		// The text is read only where the search needs it.
		if f.Matches(s, board.Settings, func() string { return textOf(ctx, p, s.ID) }) {
			found = append(found, s)
		}
	}
	if err := ctx.Err(); err != nil {
		return ListResult{}, err
	}
	if err := sortTasks(ctx, p, board, found, in.Sort, in.Reverse); err != nil {
		return ListResult{}, err
	}
	result := pageOf(len(found), in.Cursor, limit)
	first := min(in.Cursor, len(found))
	var err error
	result.Tasks, err = rows(ctx, p, board, specs, found[first:first+result.Count])
	result.EnumHints = board.EnumHints(in.Project)
	return result, err
}

// PageLimit returns how many rows a page has. Error: *task.Fault out of range.
func PageLimit(limit, usual, most int) (int, error) {
	if limit == 0 {
		return usual, nil
	}
	if limit < 1 || limit > most {
		text := fmt.Sprintf("limit must be between 1 and %d", most)
		return 0, &task.Fault{Code: task.InvalidParams, Message: text, Data: map[string]any{
			"field": "limit", "code": "out_of_range", "provided": max(limit, 0), "suggestions": []string{}, "details": text,
		}}
	}
	return limit, nil
}

// filter returns the filter of a call in the spellings of the settings.
func (in ListInput) filter(ctx context.Context, p *engine.Project, board taskboard.Board) (task.Filter, error) {
	f := task.Filter{
		Project: in.Project, Statuses: slices.Clone(in.Status), Priorities: slices.Clone(in.Priority), Types: slices.Clone(in.Type), Tags: in.Tags,
		Assignee: strings.TrimSpace(in.Assignee), Search: strings.TrimSpace(in.Search), CustomFields: in.CustomFields, Sprints: in.Sprints,
	}
	for _, known := range board.Settings.Projects {
		if strings.EqualFold(known.Name, in.Project) {
			f.Project = known.Prefix
		}
	}
	if strings.EqualFold(f.Assignee, task.Me) {
		who, err := taskboard.WhoIs(ctx, p, board)
		if err != nil {
			return f, err
		}
		// If it is unknown who calls, nothing matches, rather than the tasks without an assignee.
		f.Assignee, f.NoAssignee = who.User, who.User == ""
	}
	f, err := f.Check(board.Settings)
	return f, enumFault(err)
}

// textOf returns the description of a spec, "" if it cannot be read.
func textOf(ctx context.Context, p *engine.Project, id string) string {
	s, err := p.Store.Get(ctx, id)
	if err != nil {
		return ""
	}
	return task.Description(s.Doc)
}

// rows returns specs as tasks, with their texts, where these can be read, and times.
func rows(ctx context.Context, p *engine.Project, board taskboard.Board, specs, shown []*spec.Spec) ([]task.Task, error) {
	keys, blocks := related(specs, shown)
	key := func(id string) string {
		if known, ok := keys[id]; ok {
			return known
		}
		return id
	}
	times, err := timesOf(ctx, p, shown)
	if err != nil {
		return nil, err
	}
	out := make([]task.Task, len(shown))
	var all sync.WaitGroup
	for w := range rowReaders {
		all.Go(func() {
			for i := w; i < len(shown) && ctx.Err() == nil; i += rowReaders {
				x := times[shown[i].ID]
				x.Key, x.Blocks = key, blocks[shown[i].ID]
				f, err := withText(ctx, p, shown[i])
				if err == nil {
					out[i], err = task.FromSpec(f, board.Settings, x)
				}
				// A spec that was removed meanwhile is shown without its text, because the page was counted with it.
				if err != nil {
					out[i] = task.FromRow(shown[i], board.Settings, x)
				}
				// The histories of all tasks would be most of a list's size.
				out[i].History = nil
			}
		})
	}
	all.Wait()
	return out, ctx.Err()
}

// related returns the numbers of the specs that some specs are related to, and the specs that depend on these.
func related(specs, shown []*spec.Spec) (keys map[string]string, blocks map[string][]string) {
	keys, blocks = map[string]string{}, map[string][]string{}
	wanted, isShown := map[string]bool{}, map[string]bool{}
	for _, s := range shown {
		isShown[s.ID] = true
		for _, id := range append(s.Fields.Relationships.All(), s.Fields.DependsOn...) {
			wanted[id] = true
		}
	}
	for _, s := range specs {
		for _, on := range s.Fields.DependsOn {
			if isShown[on] {
				blocks[on] = append(blocks[on], s.ID)
				wanted[s.ID] = true
			}
		}
	}
	for _, s := range specs {
		if len(wanted) > 0 && wanted[s.ID] {
			keys[s.ID] = task.KeyOf(s)
		}
	}
	return keys, blocks
}

// rowReaders is how many goroutines read the texts of a page.
const rowReaders = 4

// withText returns a spec of a list with its document.
func withText(ctx context.Context, p *engine.Project, s *spec.Spec) (*spec.File, error) {
	// A spec with a run has its text on a branch; the others are read without asking git.
	if s.Branch != "" {
		return engine.WithText(ctx, p, s)
	}
	src, err := p.Store.ReadTree(engine.Home(p), store.SpecPath(s.ID))
	if err != nil {
		return nil, err
	}
	doc, err := markdown.Parse(store.SpecPath(s.ID), src)
	if err != nil {
		return nil, err
	}
	return (&spec.File{Spec: *s}).WithDoc(doc), nil
}

// pageOf returns a page without its tasks.
func pageOf(total, cursor, limit int) ListResult {
	first := min(cursor, total)
	r := ListResult{Status: "ok", Count: min(limit, total-first), Total: total, Cursor: cursor, Limit: limit, Page: cursor/limit + 1, TotalPages: max(1, (total+limit-1)/limit), Tasks: []task.Task{}}
	after := first + r.Count
	if r.HasMore = after < total; r.HasMore {
		r.NextCursor = &after
	}
	r.Message = r.message(first, after)
	return r
}

func (r ListResult) message(first, after int) string {
	switch {
	case r.Total == 0:
		return "No tasks match."
	case r.Count == 0:
		return fmt.Sprintf("No tasks on this page: cursor %d is behind the last of %d.", r.Cursor, r.Total)
	case r.HasMore:
		return fmt.Sprintf("Showing tasks %d–%d of %d (page %d of %d). %d more: call again with cursor=%d.", first+1, after, r.Total, r.Page, r.TotalPages, r.Total-after, after)
	case first > 0:
		return fmt.Sprintf("Showing tasks %d–%d of %d (page %d of %d, the last page).", first+1, after, r.Total, r.Page, r.TotalPages)
	}
	return fmt.Sprintf("Showing all %s.", task.WithNoun(r.Total, "task"))
}

// UnmarshalJSON reads the input as clients of lotar send it: lists may be texts with commas, numbers may be texts, and
// cursor is also called offset. Errors: *task.Fault.
func (in *ListInput) UnmarshalJSON(raw []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return task.Invalid("Invalid params: expected an object")
	}
	for name, value := range members {
		if IsNull(value) {
			delete(members, name)
		}
	}
	// Other names that clients of lotar use for the same members.
	alias(members, "cursor", "offset")
	alias(members, "tags", "tag")
	alias(members, "sprints", "sprint")
	alias(members, "type", "task_type")
	for name, into := range map[string]*[]string{"status": &in.Status, "priority": &in.Priority, "type": &in.Type, "tags": &in.Tags} {
		if value, given := members[name]; given {
			texts, err := ReadTexts(name, value)
			if err != nil {
				return err
			}
			*into = texts
		}
	}
	for name, into := range map[string]*string{"project": &in.Project, "assignee": &in.Assignee, "search": &in.Search, "sort": &in.Sort} {
		if value, given := members[name]; given {
			text, err := readText(name, value)
			if err != nil {
				return err
			}
			*into = text
		}
	}
	return in.readRest(members)
}

func alias(members map[string]json.RawMessage, name, other string) {
	if value, given := members[other]; given && members[name] == nil {
		members[name] = value
	}
}

// readRest reads the numbers, the sprints and the custom fields.
func (in *ListInput) readRest(members map[string]json.RawMessage) (err error) {
	if value, given := members["sprints"]; given {
		if in.Sprints, err = ReadNumbers("sprints", value); err != nil {
			return err
		}
	}
	if in.Limit, err = ReadCount(members["limit"], "limit"); err != nil {
		return err
	}
	if in.Limit == 0 && members["limit"] != nil {
		// 0 means the default, but a limit that was sent as 0 is out of range.
		in.Limit = -1
	}
	if in.Cursor, err = ReadCount(members["cursor"], "cursor"); err != nil {
		return err
	}
	if value, given := members["reverse"]; given && json.Unmarshal(value, &in.Reverse) != nil {
		return task.Invalid("reverse must be a boolean")
	}
	value, given := members["custom_fields"]
	if !given {
		return nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(value, &fields) != nil {
		return task.Invalid("custom_fields must be an object")
	}
	in.CustomFields = map[string][]string{}
	for name, raw := range fields {
		texts, err := ReadTexts(name, raw)
		if err != nil {
			return task.Invalid("custom_fields." + name + " must be a string or an array of strings")
		}
		in.CustomFields[name] = texts
	}
	return nil
}

// ReadCount reads a number from 0, which may be a text; 0 if it is absent or null.
func ReadCount(value json.RawMessage, name string) (int, error) {
	if len(value) == 0 || IsNull(value) {
		return 0, nil
	}
	text, err := readText(name, value)
	var n int
	if err == nil {
		_, err = fmt.Sscanf(strings.TrimSpace(text)+" ", "%d ", &n)
	}
	// Sscanf stops behind the digits, so the whole text is compared.
	if err != nil || n < 0 || fmt.Sprint(n) != strings.TrimLeft(strings.TrimSpace(text), "+") {
		// A number that is out of range has a fault of its own, with the allowed values.
		if name == "limit" && errors.Is(err, nil) {
			return -1, nil
		}
		return 0, task.Invalid(name + " must be a positive integer")
	}
	return n, nil
}
