package spec

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"chant/engine/spec/fileset"
	"chant/engine/spec/taskfields"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Spec is what is known of one spec apart from its text.
type Spec struct {
	ID       string
	Title    string // first level-1 heading, "" when there is none
	Path     string // of its file, for messages
	Status   Status // Fields.Status, read by ParseStatus
	Fields   Fields
	Archived bool           // it is in the archive
	Branch   string         // the run's branch whose copy this is, "" for the copy in home
	Landed   bool           // completed, and the target has its code
	Target   string         // the branch on which it lands, "" if unknown
	Inherits bool           // Target is its driver's, because its own file names none
	Reached  []string       // further targets that have it as completed; only those of specs that wait for it
	Home     *Spec          // home's copy if this is the copy on a run's branch, nil otherwise
	Rules    []ApprovalRule // of the project

	otherLabels []string // labels of other copies, whose rules apply too
	content     content
}

// File is a spec together with its document.
type File struct {
	Spec
	Doc *markdown.Document
}

// WithDoc returns the file with another document and the same fields.
func (f *File) WithDoc(doc *markdown.Document) *File {
	next := *f
	next.Doc, next.content = doc, content{doc: doc, adopted: f.content.adopted}
	return &next
}

// Fields are the front matter keys that chant reads. Keys that are not here are
// kept in the document and never touched.
type Fields struct {
	Type         Type            `yaml:"type" json:"type,omitempty"`
	Status       string          `yaml:"status" json:"-"`
	DependsOn    StringList      `yaml:"depends_on" json:"depends_on,omitempty"`
	Labels       StringList      `yaml:"labels" json:"labels,omitempty"`
	Priority     Priority        `yaml:"priority" json:"priority,omitempty"`
	TargetFiles  StringList      `yaml:"target_files" json:"target_files,omitempty"`
	Context      StringList      `yaml:"context" json:"context,omitempty"`
	Prompt       string          `yaml:"prompt" json:"prompt,omitempty"`
	Extensions   StringList      `yaml:"prompt_extensions" json:"prompt_extensions,omitempty"`
	Provider     string          `yaml:"provider" json:"provider,omitempty"`
	RunsOn       StringList      `yaml:"runs_on" json:"runs_on,omitempty"` // labels of the machines that may work it
	Branch       string          `yaml:"branch" json:"branch,omitempty"`
	Onto         string          `yaml:"onto" json:"onto,omitempty"` // the branch on which it lands, "" for the project's
	Commits      StringList      `yaml:"commits" json:"commits,omitempty"`
	CompletedAt  string          `yaml:"completed_at" json:"completed_at,omitempty"`
	Model        string          `yaml:"model" json:"model,omitempty"`
	Reason       string          `yaml:"reason" json:"reason,omitempty"`
	ReasonCode   ReasonCode      `yaml:"reason_code" json:"reason_code,omitempty"`
	Tracks       StringList      `yaml:"tracks" json:"tracks,omitempty"`
	InformedBy   StringList      `yaml:"informed_by" json:"informed_by,omitempty"`
	Origin       StringList      `yaml:"origin" json:"origin,omitempty"`
	Members      StringList      `yaml:"members" json:"members,omitempty"`
	Approval     *Approval       `yaml:"approval" json:"approval,omitempty"`
	WaitsFor     string          `yaml:"waits_for" json:"waits_for,omitempty"` // ForReview: an agent has written it, and no person has approved it yet
	LastVerified string          `yaml:"last_verified" json:"last_verified,omitempty"`
	Verification string          `yaml:"verification_status" json:"verification_status,omitempty"`
	Failures     StringList      `yaml:"verification_failures" json:"verification_failures,omitempty"`
	Retry        *Retry          `yaml:"retry_state" json:"retry_state,omitempty"`
	Verify       *Checks         `yaml:"verify" json:"verify,omitempty"`
	Guards       Guards          `yaml:"guards" json:"guards,omitempty"`   // criteria that hold before the work
	RedFor       string          `yaml:"red_for" json:"red_for,omitempty"` // the spec that makes the tests of this one pass
	Limits       *Limits         `yaml:"limits" json:"limits,omitempty"`
	OutputSchema string          `yaml:"output_schema" json:"output_schema,omitempty"`
	Original     string          `yaml:"original_spec" json:"original_spec,omitempty"` // the rejected spec that this one replaces
	Derived      StringList      `yaml:"derived_fields" json:"derived_fields,omitempty"`
	Hashes       fileset.Digests `yaml:"content_hashes" json:"-"`
	ReplayedAt   string          `yaml:"replayed_at" json:"replayed_at,omitempty"`
	Replays      Count           `yaml:"replay_count" json:"replay_count,omitempty"`
	FirstDone    string          `yaml:"original_completed_at" json:"original_completed_at,omitempty"`

	Source string     `yaml:"source" json:"source,omitempty"` // the folder of spec-kit, Kiro or OpenSpec that it adopts
	Part   StringList `yaml:"part" json:"part,omitempty"`     // what of that folder it is about, if not everything
	Met    StringList `yaml:"met" json:"met,omitempty"`       // criteria without a box that hold, by id or key

	taskfields.Fields `yaml:",inline"` // of a spec that is planned as a task
}

// StringList is read from one scalar or a list of scalars. A key with an empty list gives an empty list that is not
// nil: for depends_on this means "explicitly none".
type StringList []string

// UnmarshalYAML accepts "a" and [a, b].
func (l *StringList) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind == yaml.ScalarNode {
		*l = StringList{node.Value}
		return nil
	}
	var items []string
	if err := node.Decode(&items); err != nil {
		return err
	}
	*l = append(StringList{}, items...)
	return nil
}

// Parse reads a spec from its file. It returns a *markdown.SyntaxError with path and line if the front matter is
// invalid or has an unknown status.
func Parse(id, path string, src []byte) (*File, error) {
	doc, err := markdown.Parse(path, src)
	if err != nil {
		return nil, err
	}
	return FromDocument(id, doc)
}

// FromDocument reads the fields of a parsed document; it returns the same errors as Parse.
func FromDocument(id string, doc *markdown.Document) (*File, error) {
	s := &File{Spec{ID: id, Path: doc.Path(), Title: doc.Title(), content: content{doc: doc}}, doc}
	if err := doc.Decode(&s.Fields); err != nil {
		return nil, err
	}
	if err := s.derive(); err != nil {
		return nil, &markdown.SyntaxError{Path: doc.Path(), Line: doc.KeyLine("status"), Msg: err.Error()}
	}
	return s, nil
}

// derive sets what follows from the fields of a file. Error: that of ParseStatus.
func (s *Spec) derive() (err error) {
	s.Status, err = ParseStatus(s.Fields.Status)
	if s.Fields.Type == "" {
		s.Fields.Type = Code
	}
	s.Landed = s.Status == Completed
	return err
}

// HasLabel reports whether the spec has one of these labels, or no labels are given.
func (s *Spec) HasLabel(labels []string) bool {
	return len(labels) == 0 || slices.ContainsFunc(labels, func(label string) bool { return slices.Contains(s.Fields.Labels, label) })
}

// ScriptHeading is the heading of the section with the script of a spec.
const ScriptHeading = "Script"

// Script returns the first shell block under that heading, with the line ends of Unix.
func (f *File) Script() (script string, ok bool) {
	text, ok := f.Doc.CodeBlock(ScriptHeading, "sh", "bash", "shell")
	return string(UnixLineEnds(text)), ok
}

// Apply returns the spec's document with the status that follows the event and with further edits. It returns a
// *StateError if the event is not allowed in the present status.
func (f *File) Apply(ev Event, edits ...markdown.Edit) (*markdown.Document, error) {
	next, err := Next(f.Status, ev)
	if err != nil {
		return nil, err
	}
	return f.Doc.Apply(append([]markdown.Edit{markdown.Set("status", string(next))}, edits...)...)
}

// Sources lists the entries of tracks, origin, informed_by and target_files, each once. Drift watches their files.
func (f Fields) Sources() []string {
	var out []string
	for _, list := range []StringList{f.Tracks, f.Origin, f.InformedBy, f.TargetFiles} {
		for _, entry := range list {
			if strings.TrimSpace(entry) != "" && !slices.Contains(out, entry) {
				out = append(out, entry)
			}
		}
	}
	return out
}

// DriftSources lists the entries whose files a completed spec is compared by. One without digests was completed by another
// program, for which target_files are only what the work may change.
func (f Fields) DriftSources() []string {
	if len(f.Hashes) == 0 {
		f.TargetFiles = nil
	}
	return f.Sources()
}

// Retry is the state of a paused spec whose agent will be started again automatically. The key and its members are
// those of the older chant.
type Retry struct {
	Attempts int   `yaml:"attempts" json:"attempts"`                                   // retries scheduled so far
	Last     int64 `yaml:"last_retry_time,omitempty" json:"last_retry_time,omitempty"` // when the last attempt ended, ms since 1970
	Next     int64 `yaml:"next_retry_time,omitempty" json:"next_retry_time,omitempty"` // when the next may begin, ms since 1970
}

// Due returns when the next attempt may begin.
func (r Retry) Due() time.Time { return time.UnixMilli(r.Next) }

// DueBy is Due by a clock that shows now: at once if the attempt ended in the future, since that clock, or the one by
// which the retry was scheduled, is off.
func (r Retry) DueBy(now time.Time) time.Time {
	if now.UnixMilli() < r.Last {
		return now
	}
	return r.Due()
}

// AwaitsRetry reports whether the spec's run is paused and will be retried automatically.
func (s *Spec) AwaitsRetry() bool { return s.Status == Paused && s.Fields.Retry != nil }

// WithoutRunSections returns the document without the sections that runs and takeovers append: the text of the task
// without its results.
func (f *File) WithoutRunSections() *markdown.Document {
	return f.Doc.DropSections(RunHeadings()...)
}

// RunHeadings lists the headings below which runs and takeovers write.
func RunHeadings() []string {
	return []string{"Agent Conversation", "Agent Output", "Execution Result", "Output", "Takeover Analysis"}
}

// Priority is the priority of a spec as its front matter has it: a word or a whole number, 0 for the most urgent. The
// words are those of lotar, the numbers those of beads.
type Priority string

// UnmarshalYAML accepts any value. Lint reports an invalid priority; the spec remains readable.
func (p *Priority) UnmarshalYAML(node *yaml.Node) error {
	switch {
	case node.Kind != yaml.ScalarNode:
		*p = "a list or a map"
	case node.ShortTag() != "!!null":
		*p = Priority(strings.TrimSpace(node.Value))
	}
	return nil
}

// normalLevel is the level of medium, between high and low, and of a spec without a priority.
const normalLevel = 2

// Level returns the priority as a number, where lower numbers come first, and whether the text is a valid priority. The
// level of an invalid priority is that of medium.
func (p Priority) Level() (level int, ok bool) {
	switch strings.ToLower(string(p)) {
	case "", "medium", "normal":
		return normalLevel, true
	case "critical", "urgent", "highest":
		return 0, true
	case "high":
		return 1, true
	case "low":
		return 3, true
	case "lowest":
		return 4, true
	}
	digits := strings.TrimPrefix(strings.ToLower(string(p)), "p")
	if level, err := strconv.Atoi(digits); err == nil && level >= 0 {
		return level, true
	}
	return normalLevel, false
}
