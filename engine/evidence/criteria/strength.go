package criteria

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"chant/engine/evidence/attest"
	"chant/text"
)

// Strength says how many wrong versions of a change the criteria of its spec notice, and which ones they do not.
type Strength struct {
	Commit     string     `json:"commit"` // whose change was made wrong
	At         time.Time  `json:"at,omitzero"`
	Total      int        `json:"total"`              // wrong versions that there are
	Score      *float64   `json:"score"`              // of those that were killed or survived, the part that was killed; null if there were none
	Killed     int        `json:"killed"`             // wrong versions on which a criterion failed
	Unbuilt    int        `json:"unbuilt"`            // wrong versions that do not compile, which do not count
	Survivors  []Survivor `json:"survivors"`          // wrong versions on which all criteria passed
	Unexecuted []Line     `json:"unexecuted"`         // lines without which all criteria pass
	LeftOut    int        `json:"left_out,omitempty"` // further survivors, for which evidence has no room
	Seconds    float64    `json:"seconds"`
	Sampled    bool       `json:"sampled"` // not all wrong versions were tried
}

// Survivor is a wrong version that no criterion notices.
type Survivor struct {
	Kind string `json:"kind"`
	File string `json:"file"`
	Line int    `json:"line"`
	Diff string `json:"diff"`           // the lines that differ, as they are and as they could be
	Spec string `json:"spec,omitempty"` // that was added for a test which notices it
	// Noticed says that the spec has landed: its criterion fails without such a test. It is found out when evidence is shown.
	Noticed bool `json:"noticed,omitempty"`

	Patch string `json:"-"` // for "git apply", "" if it is too long or the file is binary
}

// Line is a line of a file.
type Line struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// Tried is the number of wrong versions that were killed or survived.
func (s *Strength) Tried() int { return s.Killed + s.LeftOut + len(s.Survivors) }

// Open lists the survivors that no later spec notices.
func (s *Strength) Open() (out []Survivor) {
	for _, one := range s.Survivors {
		if !one.Noticed {
			out = append(out, one)
		}
	}
	return out
}

// Conclude sets the score, by what was counted.
func (s *Strength) Conclude() {
	if tried := s.Tried(); tried > 0 {
		score := float64(s.Killed) / float64(tried)
		s.Score = &score
	}
}

// Words describes the strength in one line, such as "score 12 of 14, a sample of 40 wrong versions".
func (s *Strength) Words() string {
	if s.Tried() == 0 {
		return "no score: no wrong version was tried to its end"
	}
	out := fmt.Sprintf("score %d of %d", s.Killed, s.Tried())
	if s.Sampled {
		out += ", a sample of " + text.Plural(s.Total, "wrong version")
	}
	if later := len(s.Survivors) - len(s.Open()); later > 0 {
		out += fmt.Sprintf(", %d noticed since", later)
	}
	return out
}

// Place names where a survivor is, and its kind.
func (s Survivor) Place() string { return text.Quote(fmt.Sprintf("%s:%d %s", s.File, s.Line, s.Kind)) }

// Lines are the lines of the diff, with their control characters spelled out: an agent has written them.
func (s Survivor) Lines() []string {
	return strings.Split(strings.TrimSuffix(string(text.Visible([]byte(s.Diff))), "\n"), "\n")
}

// What evidence has room for.
const (
	maxSurvivors  = 200
	maxUnexecuted = 2000
)

// shortened returns the strength without what evidence has no room for.
func (s Strength) shortened() *Strength {
	keep := min(len(s.Survivors), maxSurvivors)
	s.LeftOut += len(s.Survivors) - keep
	s.Survivors = append([]Survivor{}, s.Survivors[:keep]...)
	s.Unexecuted = s.Unexecuted[:min(len(s.Unexecuted), maxUnexecuted)]
	return &s
}

// AddStrength makes a strength part of a report.
func (r *Report) AddStrength(s Strength) { r.Strength = s.shortened() }

// ErrMoreIsKnown says that evidence has the strength of all wrong versions, which a sample does not replace.
var ErrMoreIsKnown = errors.New("the evidence has the result of all wrong versions, which a sample does not replace")

// WithStrength returns the text of a note with a strength in place of the one that it has, signed anew. Survivors that it has
// already keep their specs. It is for a caller who has checked that by has signed the note itself: the new signature covers all of it.
func (n Note) WithStrength(ctx context.Context, s Strength, by attest.Signer) ([]byte, error) {
	if old := n.Strength; old != nil && old.Commit == s.Commit && !old.Sampled && s.Sampled {
		return nil, ErrMoreIsKnown
	}
	if n.Strength != nil {
		s.Survivors = slices.Clone(s.Survivors)
		for i, one := range s.Survivors {
			at := slices.IndexFunc(n.Strength.Survivors, func(was Survivor) bool {
				return was.Kind == one.Kind && was.File == one.File && was.Line == one.Line && was.Diff == one.Diff
			})
			if at >= 0 && one.Spec == "" {
				s.Survivors[i].Spec = n.Strength.Survivors[at].Spec
			}
		}
	}
	n.AddStrength(s)
	if n.Attestation == nil {
		return n.Report.Encode()
	}
	seal, err := n.seal()
	if err != nil {
		return nil, err
	}
	n.Seal = seal
	statement := n.Attestation.Statement
	if statement.Predicate.Chant.Report, err = json.Marshal(n.Report); err != nil {
		return nil, err
	}
	return attest.Seal(ctx, statement, by)
}
