package spec

import (
	"slices"
	"strings"

	"chant/engine/spec/fileset"
	"chant/markdown"

	"go.yaml.in/yaml/v3"
)

// Spec is one spec as it was read.
type Spec struct {
	ID       string
	Title    string // first level-1 heading, "" when there is none
	Status   Status // Fields.Status, read by ParseStatus
	Fields   Fields
	Doc      *markdown.Document
	Archived bool           // it lies in the archive
	Branch   string         // the run's branch that speaks for it, "" when home's file does
	Landed   bool           // completed, and the target has its code
	Target   string         // the branch on which it lands, "" where that is not known
	Inherits bool           // that branch is its driver's: its own file names none
	Reached  []string       // further targets that have it as completed; only those of specs that wait for it
	Home     *Spec          // home's copy while a branch speaks, nil otherwise
	Rules    []ApprovalRule // of the project

	beside []string // labels of other copies, whose rules hold for it too
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
	LastVerified string          `yaml:"last_verified" json:"last_verified,omitempty"`
	Verification string          `yaml:"verification_status" json:"verification_status,omitempty"`
	Failures     StringList      `yaml:"verification_failures" json:"verification_failures,omitempty"`
	Retry        *Retry          `yaml:"retry_state" json:"retry_state,omitempty"`
	Verify       *Checks         `yaml:"verify" json:"verify,omitempty"`
	Limits       *Limits         `yaml:"limits" json:"limits,omitempty"`
	OutputSchema string          `yaml:"output_schema" json:"output_schema,omitempty"`
	Original     string          `yaml:"original_spec" json:"original_spec,omitempty"` // what this one mends
	Derived      StringList      `yaml:"derived_fields" json:"derived_fields,omitempty"`
	Hashes       fileset.Digests `yaml:"content_hashes" json:"-"`
	ReplayedAt   string          `yaml:"replayed_at" json:"replayed_at,omitempty"`
	Replays      Count           `yaml:"replay_count" json:"replay_count,omitempty"`
	FirstDone    string          `yaml:"original_completed_at" json:"original_completed_at,omitempty"`
}

// StringList reads a single scalar or a list of scalars. A key that stands
// there with an empty list gives an empty, non-nil list: for depends_on that
// means "explicitly none".
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

// Parse reads a spec from its file; *markdown.SyntaxError with path and line
// when the front matter is broken or holds an unknown status.
func Parse(id, path string, src []byte) (*Spec, error) {
	doc, err := markdown.Parse(path, src)
	if err != nil {
		return nil, err
	}
	return FromDocument(id, doc)
}

// FromDocument reads the fields of a parsed document; errors as Parse.
func FromDocument(id string, doc *markdown.Document) (*Spec, error) {
	s := &Spec{ID: id, Doc: doc, Title: doc.Title()}
	if err := doc.Decode(&s.Fields); err != nil {
		return nil, err
	}
	status, err := ParseStatus(s.Fields.Status)
	if err != nil {
		return nil, &markdown.SyntaxError{Path: doc.Path(), Line: doc.KeyLine("status"), Msg: err.Error()}
	}
	s.Status = status
	if s.Fields.Type == "" {
		s.Fields.Type = Code
	}
	s.Landed = status == Completed
	return s, nil
}

// HasLabel reports whether the spec has one of these labels; without labels every spec passes.
func (s *Spec) HasLabel(labels []string) bool {
	return len(labels) == 0 || slices.ContainsFunc(labels, func(label string) bool { return slices.Contains(s.Fields.Labels, label) })
}

// ScriptHeading is the heading under which the script of a spec stands.
const ScriptHeading = "Script"

// Script is the first shell block under that heading, with the line ends of a shell whatever the file has.
func (s *Spec) Script() (script string, ok bool) {
	text, ok := s.Doc.CodeBlock(ScriptHeading, "sh", "bash", "shell")
	return string(EvenEnds(text)), ok
}

// Apply moves the spec by one event and returns its document with the new
// status and the further edits; *StateError when the machine forbids it.
func (s *Spec) Apply(ev Event, edits ...markdown.Edit) (*markdown.Document, error) {
	next, err := Next(s.Status, ev)
	if err != nil {
		return nil, err
	}
	return s.Doc.Apply(append([]markdown.Edit{markdown.Set("status", string(next))}, edits...)...)
}

// Sources are the entries whose content a completed spec depends on: tracks, origin,
// informed_by and target_files, each once.
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
