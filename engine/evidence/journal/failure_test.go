package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"chant/engine/spec"

	"github.com/alecthomas/assert/v2"
)

func TestKindOfWording(t *testing.T) {
	t.Parallel()
	for reason, want := range map[string]spec.ReasonCode{
		"stopped": spec.ReasonStopped,
		"forbidden changes during the run: config.md was changed":                 spec.ReasonTampered,
		`the agent's output does not fit "a.json": no JSON`:                       spec.ReasonOutput,
		"on the merged tree the criterion does not hold: criterion 1: x (exit 1)": spec.ReasonMergedTree,
		"the criterion does not hold: criterion 1: x (exit 1)":                    spec.ReasonUnverified,
		"1 of 2 criteria does not hold: criterion 1: x (exit 1)":                  spec.ReasonUnverified,
		"1 criterion of 2 does not hold: criterion 1: x (exit 1)":                 spec.ReasonUnverified,
		"12 of 20 criteria do not hold: criterion 1: x (exit 1)":                  spec.ReasonUnverified,
		`"chant/001" does not merge with "main": conflict in a.txt`:               spec.ReasonConflict,
		`"chant/001" cannot be replayed on "main": conflict in a.txt`:             spec.ReasonConflict,
		`spec "001" was cancelled on "main"`:                                      spec.ReasonWithdrawn,
		`spec "001" was rejected`:                                                 spec.ReasonWithdrawn,
		`spec "001" is a part of "000", which was rejected`:                       spec.ReasonWithdrawn,
		`"chant/001" was merged into "main" and taken back there`:                 spec.ReasonWithdrawn,
		`spec "001" waits for approval of its work`:                               spec.ReasonUnapproved,
		`spec "001" was edited after its approval`:                                spec.ReasonUnapproved,
		"":               "",
		"drifted: a.txt": "", // was never in a journal
		"the agent says: forbidden changes during the run":       "",
		"the agent's API refused: 1 of 2 criteria does not hold": "",
		"stopped by its server":                                  "",
	} {
		assert.Equal(t, want, kindOfWording(reason), "%q", reason)
	}
}

// The wording of a failure counts only in a record without a code, which an older chant wrote.
func TestHistory_reasonCode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code, want spec.ReasonCode
		reason     string
	}{
		"old":            {"", spec.ReasonTampered, "forbidden changes during the run: x"},
		"old, other":     {"", "", "no space left on device"},
		"new":            {spec.ReasonConflict, spec.ReasonConflict, "any text"},
		"new, misworded": {spec.ReasonError, spec.ReasonError, "forbidden changes during the run: x"},
	} {
		h := &History{}
		h.add(Record{Attempt: 1, Step: Open, State: Done})
		raw, err := json.Marshal(c.reason)
		assert.NoError(t, err)
		h.add(Record{Attempt: 1, Step: Land, State: Failed, Data: raw, Code: c.code})
		got := h.Last()
		assert.Equal(t, c.want, got.Code, "%s", name)
		assert.Equal(t, c.reason, got.Reason, "%s", name)
		h.add(Record{Attempt: 1, Step: Open, State: Note})
		got = h.Last()
		assert.Equal(t, "", got.Code, "%s, taken up again", name)
		assert.Equal(t, "", got.Reason, "%s, taken up again", name)
	}
}

// TestCodeOf: the code is that of the kind of an error, never of its wording.
func TestCodeOf(t *testing.T) {
	t.Parallel()
	for want, err := range map[spec.ReasonCode]error{
		"":                    nil,
		spec.ReasonConflict:   fmt.Errorf("landing: %w", &Failure{Kind: spec.ReasonConflict, Message: "x"}),
		spec.ReasonStopped:    fmt.Errorf("agent: %w", context.Canceled),
		spec.ReasonError:      errors.New("conflict in a.txt"),
		spec.ReasonUnverified: errors.Join(&Failure{Kind: spec.ReasonUnverified}, context.Canceled),
	} {
		assert.Equal(t, want, CodeOf(err), "%v", err)
	}
}
