package sprint

import (
	"slices"
	"strconv"
	"strings"

	"chant/markdown"
)

// Sprint is a sprint as its file has it. Its JSON form is that of lotar's files.
type Sprint struct {
	ID       int      `json:"-"`
	Created  string   `json:"created,omitempty"`
	Modified string   `json:"modified,omitempty"`
	Plan     Plan     `json:"plan"`
	Actual   Actual   `json:"actual"`
	Order    []string `json:"order,omitempty"` // ids of specs, the first rank first

	doc *markdown.Document
}

// Plan is what was planned. Times and lengths are texts as they were written: see [Sprint.Dates].
type Plan struct {
	Label        string   `json:"label,omitempty" yaml:"label,omitempty"`
	Goal         string   `json:"goal,omitempty" yaml:"goal,omitempty"`
	Length       string   `json:"length,omitempty" yaml:"length,omitempty"`
	EndsAt       string   `json:"ends_at,omitempty" yaml:"ends_at,omitempty"`
	StartsAt     string   `json:"starts_at,omitempty" yaml:"starts_at,omitempty"`
	Capacity     Capacity `json:"capacity,omitzero" yaml:"capacity,omitempty"`
	OverdueAfter string   `json:"overdue_after,omitempty" yaml:"overdue_after,omitempty"`
	Notes        string   `json:"notes,omitempty" yaml:"notes,omitempty"` // the body of the file; a key only in those of lotar
}

// Capacity is how much work the sprint has room for; 0 means that it was not planned.
type Capacity struct {
	Points int `json:"points,omitempty" yaml:"points,omitempty"`
	Hours  int `json:"hours,omitempty" yaml:"hours,omitempty"`
}

// Actual is when the sprint was really started and closed.
type Actual struct {
	StartedAt string `json:"started_at,omitempty" yaml:"started_at,omitempty"`
	ClosedAt  string `json:"closed_at,omitempty" yaml:"closed_at,omitempty"`
}

// Warning is something in a sprint that does not count as written.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Codes of warnings, those that lotar has as it names them.
const (
	LengthDiscarded      = "length_discarded_in_favor_of_ends_at"
	UnparseableTimestamp = "unparseable_timestamp"
	UnparseableLength    = "unparseable_length"
	UnreadableFile       = "unreadable_file" // not of lotar
	ParallelActive       = "parallel_active" // not of lotar
)

// Parse reads the file of a sprint. The path is a name for messages. A front matter that does not parse or fit is a
// [*markdown.SyntaxError]; unknown keys stay in the file and do not count.
func Parse(id int, path string, src []byte) (*Sprint, error) {
	doc, err := markdown.Parse(path, src)
	if err != nil {
		return nil, err
	}
	return read(id, doc)
}

func read(id int, doc *markdown.Document) (*Sprint, error) {
	var matter struct {
		Created  string   `yaml:"created"`
		Modified string   `yaml:"modified"`
		Plan     Plan     `yaml:"plan"`
		Actual   Actual   `yaml:"actual"`
		Order    []string `yaml:"order"`
	}
	if err := doc.Decode(&matter); err != nil {
		return nil, err
	}
	s := &Sprint{
		ID: id, Created: strings.TrimSpace(matter.Created), Modified: strings.TrimSpace(matter.Modified),
		Plan: matter.Plan, Actual: matter.Actual, Order: matter.Order, doc: doc,
	}
	s.Plan.Notes = string(doc.Body())
	s.trim()
	return s, nil
}

// trim drops space around texts and what does not count: blank and repeated entries, and a capacity below 1.
func (s *Sprint) trim() {
	for _, text := range []*string{
		&s.Plan.Label, &s.Plan.Goal, &s.Plan.Length, &s.Plan.EndsAt, &s.Plan.StartsAt, &s.Plan.OverdueAfter, &s.Plan.Notes,
		&s.Actual.StartedAt, &s.Actual.ClosedAt,
	} {
		*text = strings.TrimSpace(*text)
	}
	s.Plan.Capacity.Points = max(s.Plan.Capacity.Points, 0)
	s.Plan.Capacity.Hours = max(s.Plan.Capacity.Hours, 0)
	var order []string
	for _, id := range s.Order {
		if id = strings.TrimSpace(id); id != "" && !slices.Contains(order, id) {
			order = append(order, id)
		}
	}
	s.Order = order
}

// Bytes returns the file of the sprint.
func (s *Sprint) Bytes() []byte { return s.doc.Bytes() }

// Name returns the label of the sprint, else "Sprint N".
func (s *Sprint) Name() string {
	if s.Plan.Label != "" {
		return s.Plan.Label
	}
	return "Sprint " + strconv.Itoa(s.ID)
}

// Rank returns the place of a spec in the order of the sprint, from 1; 0 if the order does not name it.
func (s *Sprint) Rank(id string) int { return slices.Index(s.Order, id) + 1 }
