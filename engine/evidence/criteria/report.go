package criteria

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Status summarises verdicts. It is written to front matter.
type Status string

// The statuses of verdicts.
const (
	Passed  Status = "passed"  // everything holds
	Partial Status = "partial" // all commands passed, but a box is open or the judge could not decide
	Failed  Status = "failed"  // a command failed, or a judged criterion does not hold
	Nothing Status = "nothing to verify"
)

// Sum is the status of verdicts; Nothing if there are none.
func Sum(verdicts []Verdict) Status {
	if len(verdicts) == 0 {
		return Nothing
	}
	sum := Passed
	for _, v := range verdicts {
		switch {
		case v.Holds:
		case !v.IsUndecided():
			return Failed
		default:
			sum = Partial
		}
	}
	return sum
}

// IsUndecided reports whether it is unknown if a criterion holds: its box is open, or the judge could not decide.
func (v Verdict) IsUndecided() bool {
	return !v.Holds && (v.How == ByBox || v.How == ByAgent && v.Unsure)
}

// Failures lists the texts of items that do not hold.
func Failures(verdicts []Verdict) []string {
	var out []string
	for _, v := range verdicts {
		if !v.Holds {
			out = append(out, v.Text)
		}
	}
	return out
}

// Report is the evidence for a whole spec. It is stored with a commit.
type Report struct {
	SpecID      string            `json:"spec_id"`
	Commit      string            `json:"commit"` // that was judged
	Tree        string            `json:"tree"`   // in which the commands ran
	At          time.Time         `json:"at"`
	Plan        string            `json:"plan,omitempty"`     // digest of what was checked and how
	HeldOut     string            `json:"held_out,omitempty"` // SHA-256 of the encrypted file of held-out criteria
	Readable    string            `json:"readable,omitempty"` // a commit in which agents can read the held-out criteria
	Verified    bool              `json:"verified"`
	Verdict     Conclusion        `json:"verdict,omitempty"`    // what the report proves; "" in evidence of earlier versions
	Accepted    bool              `json:"accepted,omitempty"`   // a person accepted what the run changed below .chant
	Programs    []string          `json:"programs,omitempty"`   // files of the change that other programs run or trust
	Weakened    []Weakened        `json:"weakened,omitempty"`   // checks that the change weakens
	Uncompared  string            `json:"uncompared,omitempty"` // what of the change was not compared for that, as a sentence
	Environment map[string]string `json:"environment,omitempty"`
	Criteria    []Verdict         `json:"criteria"`
	Strength    *Strength         `json:"strength,omitempty"` // nil if it was not measured
	Seal        string            `json:"seal,omitempty"`     // sha256 of the report without it
}

// ErrEdited says that evidence was changed after it was written.
var ErrEdited = errors.New("evidence was edited: its seal does not match")

// Encode seals the report and returns its text.
func (r Report) Encode() ([]byte, error) {
	seal, err := r.seal()
	if err != nil {
		return nil, err
	}
	r.Seal = seal
	text, err := json.MarshalIndent(r, "", "  ")
	return append(text, '\n'), err
}

// Decode reads a report. It returns the report and ErrEdited if the seal does not
// match, and another error if the text is not a report.
func Decode(text []byte) (Report, error) {
	var r Report
	if err := json.Unmarshal(text, &r); err != nil {
		return Report{}, fmt.Errorf("evidence cannot be read: %w", err)
	}
	seal, err := r.seal()
	if err == nil && seal != r.Seal {
		err = ErrEdited
	}
	return r, err
}

func (r Report) seal() (string, error) {
	r.Seal = ""
	raw, err := json.Marshal(r)
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), err
}
