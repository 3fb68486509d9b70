package task

import (
	"cmp"
	"slices"
	"time"

	"chant/engine/spec"
	"chant/engine/spec/taskfields"
)

// Task is a spec as clients of lotar see it. The members up to custom_fields are lotar's; those behind are additions.
type Task struct {
	ID            string               `json:"id"` // its number, such as AUTH-12, or the id of a spec without one
	Title         string               `json:"title"`
	Status        string               `json:"status"`
	Priority      string               `json:"priority"`
	TaskType      string               `json:"task_type"`
	Type          string               `json:"type"`     // the same as task_type
	Created       string               `json:"created"`  // RFC 3339, "" if unknown
	Modified      string               `json:"modified"` // RFC 3339
	Reporter      string               `json:"reporter,omitempty"`
	Assignee      string               `json:"assignee,omitempty"`
	DueDate       string               `json:"due_date,omitempty"`
	Effort        string               `json:"effort,omitempty"`
	Subtitle      string               `json:"subtitle,omitempty"`
	Description   string               `json:"description,omitempty"`
	Tags          []string             `json:"tags,omitempty"`
	Relationships *Relationships       `json:"relationships,omitempty"`
	Comments      []taskfields.Comment `json:"comments,omitempty"`

	References   []taskfields.Reference `json:"references,omitempty"`
	Sprints      []int                  `json:"sprints,omitempty"`
	SprintOrder  map[int]int            `json:"sprint_order,omitempty"` // place in each sprint that has an order, from 1
	History      []HistoryEntry         `json:"history,omitempty"`      // oldest first
	CustomFields map[string]any         `json:"custom_fields,omitempty"`

	Spec         string      `json:"spec"`  // the id of the spec
	State        spec.Status `json:"state"` // what the status is to chant
	Criteria     []string    `json:"acceptance_criteria,omitempty"`
	Open         int         `json:"open_criteria,omitempty"` // how many of them have an open box
	Verification string      `json:"verification,omitempty"`  // the result of the verification that completed it
	Commits      []string    `json:"commits,omitempty"`       // what its run committed
	Landed       *bool       `json:"landed,omitempty"`        // of a completed spec
}

// Relationships are those of a task to others, by their numbers or ids.
type Relationships struct {
	DependsOn   []string `json:"depends_on,omitempty" yaml:"depends_on"`
	Blocks      []string `json:"blocks,omitempty" yaml:"blocks"`
	Related     []string `json:"related,omitempty" yaml:"related"`
	Parent      string   `json:"parent,omitempty" yaml:"parent"`
	Children    []string `json:"children,omitempty" yaml:"children"`
	Fixes       []string `json:"fixes,omitempty" yaml:"fixes"`
	DuplicateOf string   `json:"duplicate_of,omitempty" yaml:"duplicate_of"`
}

// HistoryEntry is one change of a task.
type HistoryEntry struct {
	At      string                   `json:"at"` // RFC 3339
	Actor   string                   `json:"actor,omitempty"`
	Changes []taskfields.FieldChange `json:"changes"`
}

// Extra is what a spec file does not contain.
type Extra struct {
	Created, Modified time.Time // zero if unknown
	History           []HistoryEntry
	Blocks            []string                  // ids of the specs that depend on it
	Key               func(id string) string    // the number of another spec, or its id; nil leaves ids
	Order             func(sprint int) []string // ids in the order of a sprint; may be nil
}

// FromSpec returns a spec as a task, with its text. Errors: *markdown.SyntaxError for comments or references of another
// shape.
func FromSpec(f *spec.File, st *Settings, x Extra) (Task, error) {
	t := FromRow(&f.Spec, st, x)
	t.Description = Description(f.Doc)
	for _, c := range f.Criteria() {
		t.Criteria = append(t.Criteria, c.Text)
		if !c.Checked {
			t.Open++
		}
	}
	notes, err := taskfields.ReadNotes(f.Doc)
	if err != nil {
		return Task{}, err
	}
	// Fields of the spec hold custom fields as texts, and clients expect the types of the file.
	var typed map[string]any
	if found, err := f.Doc.Get("custom_fields", &typed); found && err == nil && typed != nil {
		t.CustomFields = typed
	}
	t.Comments, t.References = notes.Comments, notes.References
	t.History = mergeHistory(notes.History, x.History)
	return t, nil
}

// FromRow returns what a list shows of a spec whose text has not been read.
func FromRow(s *spec.Spec, st *Settings, x Extra) Task {
	f := &s.Fields
	t := Task{
		ID: KeyOf(s), Title: s.Title, Status: st.WordOf(s.Status, string(f.TaskStatus)), Priority: st.PriorityOf(string(f.Priority)), TaskType: st.TypeOf(s),
		Created: firstTime(string(f.Created), x.Created), Reporter: string(f.Reporter), Assignee: string(f.Assignee),
		DueDate: string(f.DueDate), Effort: string(f.Effort), Subtitle: string(f.Subtitle), Tags: slices.Clone(f.Labels),
		Relationships: relationshipsOf(s, x), Sprints: f.Sprints, History: x.History, CustomFields: customTexts(f.CustomFields),
		Spec: s.ID, State: s.Status, Verification: f.Verification, Commits: f.Commits,
	}
	t.Type, t.Modified = t.TaskType, cmp.Or(formatTime(x.Modified), string(f.LastImported), t.Created)
	if s.Status == spec.Completed {
		landed := s.Landed
		t.Landed = &landed
	}
	for _, sprint := range f.Sprints {
		if x.Order == nil {
			break
		}
		// A task that nobody has ordered has no place.
		if at := slices.Index(x.Order(sprint), s.ID); at >= 0 {
			if t.SprintOrder == nil {
				t.SprintOrder = map[int]int{}
			}
			t.SprintOrder[sprint] = at + 1
		}
	}
	return t
}

// customTexts returns custom fields as far as an index knows them: as texts.
func customTexts(fields taskfields.CustomFields) map[string]any {
	if len(fields) == 0 {
		return nil
	}
	out := map[string]any{}
	for name, value := range fields {
		out[name] = value
	}
	return out
}

// KeyOf returns the number of a spec, or its id if it has none.
func KeyOf(s *spec.Spec) string {
	if s.Fields.Task != "" {
		return string(s.Fields.Task)
	}
	return s.ID
}

// ProjectOf returns the prefix of the project that a spec belongs to: that of its number, else the default one.
func (s *Settings) ProjectOf(one *spec.Spec) string {
	if prefix, _, ok := ParseKey(string(one.Fields.Task)); ok {
		return prefix
	}
	return s.DefaultProject
}

// PriorityOf returns the spelling of a priority in the settings. A spec without one has the default.
func (s *Settings) PriorityOf(value string) string {
	return s.remember("priority", value, func() string { return s.priorityOf(value) })
}

func (s *Settings) priorityOf(value string) string {
	if value == "" {
		value = s.DefaultPriority
	}
	if canonical, ok := MatchEnum(value, s.Priorities); ok {
		return canonical
	}
	return value
}

// TypeOf returns the type of a spec as a task: its task_type; else its type if the settings have it, or, without a
// workspace, if it is not that of every spec; else the first type of the settings.
func (s *Settings) TypeOf(one *spec.Spec) string {
	raw := string(one.Fields.TaskType) + "\x00" + string(one.Fields.Type)
	return s.remember("type", raw, func() string { return s.typeOf(one) })
}

func (s *Settings) typeOf(one *spec.Spec) string {
	if own := string(one.Fields.TaskType); own != "" {
		if canonical, ok := MatchEnum(own, s.Types); ok {
			return canonical
		}
		// A value that the settings no longer have is still shown.
		return own
	}
	own := string(one.Fields.Type)
	if canonical, ok := matchWord(own, s.Types); ok {
		return canonical
	}
	// Every spec has the type code, so it says nothing in a workspace with types of its own.
	if len(s.Types) == 0 || s.Types[0] == "*" || !s.Workspace && one.Fields.Type != spec.Code {
		return own
	}
	return s.Types[0]
}

func relationshipsOf(s *spec.Spec, x Extra) *Relationships {
	key := func(id string) string {
		if x.Key == nil || id == "" {
			return id
		}
		return x.Key(id)
	}
	keys := func(ids []string) []string {
		var out []string
		for _, id := range ids {
			out = append(out, key(id))
		}
		return out
	}
	out := Relationships{DependsOn: keys(s.Fields.DependsOn), Blocks: keys(x.Blocks)}
	if r := s.Fields.Relationships; r != nil {
		out.Related, out.Parent, out.Children, out.Fixes, out.DuplicateOf = keys(r.Related), key(r.Parent), keys(r.Children), keys(r.Fixes), key(r.DuplicateOf)
	}
	if len(out.DependsOn)+len(out.Blocks)+len(out.Related)+len(out.Children)+len(out.Fixes) == 0 && out.Parent == "" && out.DuplicateOf == "" {
		return nil
	}
	return &out
}

// mergeHistory returns the imported history in front of that of git.
func mergeHistory(imported []taskfields.PastChange, known []HistoryEntry) []HistoryEntry {
	if len(imported) == 0 {
		return known
	}
	out := make([]HistoryEntry, 0, len(imported)+len(known))
	for _, past := range imported {
		out = append(out, HistoryEntry(past))
	}
	return append(out, known...)
}

func firstTime(text string, at time.Time) string {
	if text != "" {
		return text
	}
	return formatTime(at)
}

func formatTime(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// ReservedFields lists the names that custom fields cannot have, because tasks have fields of that name.
func ReservedFields() []string {
	return []string{
		"id", "title", "status", "priority", "type", "task_type", "created", "modified", "reporter", "assignee", "due_date", "effort", "subtitle",
		"description", "tags", "relationships", "comments", "references", "sprints", "history", "custom_fields", "acceptance_criteria",
	}
}
