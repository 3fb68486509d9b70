package criteria

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"chant/engine/spec"
	"chant/engine/spec/schema"
	"chant/text"
)

// Opinion is what a judging agent says about a criterion.
type Opinion string

// The opinions.
const (
	Pass Opinion = "pass"
	Fail Opinion = "fail"
	Skip Opinion = "skip" // it cannot decide
)

// Judged is an agent's answer for one criterion. It is an opinion: nothing was run.
type Judged struct {
	Opinion Opinion `json:"verdict"`
	Reason  string  `json:"reason"`
}

// reasonLimit is how much of a reason is kept, in runes.
const reasonLimit = 500

// verdictSchema is the form of an agent's answer.
const verdictSchema = `{
  "type": "object", "required": ["verdicts"],
  "properties": {"verdicts": {"type": "array", "items": {
    "type": "object", "required": ["id", "verdict", "reason"], "additionalProperties": false,
    "properties": {
      "id": {"type": "string"},
      "verdict": {"enum": ["pass", "fail", "skip"]},
      "reason": {"type": "string", "minLength": 1}
    }
  }}}
}`

// AnswerForm says how a judging agent answers. It follows the question.
const AnswerForm = `
## Your answer

End with this JSON in a fence marked json: every id once, a reason of one sentence that names files.

{"verdicts": [{"id": "…", "verdict": "pass|fail|skip", "reason": "…"}]}
`

// ToJudge lists criteria with the ids that the answer uses.
func ToJudge(criteria []spec.Criterion) string {
	lines := make([]string, len(criteria))
	for i, c := range criteria {
		lines[i] = fmt.Sprintf("- id %q: %s", c.ID, text.OneLine(c.Text))
	}
	return strings.Join(lines, "\n")
}

// ParseVerdicts reads a judging agent's final text. It must answer every id exactly once, and no
// other id; anything else is an error.
func ParseVerdicts(said string, ids []string) (map[string]Judged, error) {
	src, ok := schema.Find(said)
	if !ok {
		return nil, fmt.Errorf("the agent's answer holds no JSON: %q", spec.Echo(strings.TrimSpace(said)))
	}
	form, err := schema.Compile("verdicts", []byte(verdictSchema))
	if err != nil {
		return nil, err
	}
	if found := form.Check(src); len(found) > 0 {
		return nil, fmt.Errorf("the agent's answer is not a list of verdicts: %s", schema.Spell(found))
	}
	var answer struct {
		Verdicts []struct {
			ID string `json:"id"`
			Judged
		} `json:"verdicts"`
	}
	if err := json.Unmarshal(src, &answer); err != nil {
		return nil, fmt.Errorf("the agent's answer cannot be read: %w", err)
	}
	out := make(map[string]Judged, len(ids))
	for _, v := range answer.Verdicts {
		if _, twice := out[v.ID]; twice {
			return nil, fmt.Errorf("the agent judged criterion %q twice", spec.Echo(v.ID))
		}
		if !slices.Contains(ids, v.ID) {
			return nil, fmt.Errorf("the agent judged criterion %q, which is none", spec.Echo(v.ID))
		}
		out[v.ID] = Judged{v.Opinion, text.Clip(text.OneLine(v.Reason), reasonLimit)}
	}
	for _, id := range ids {
		if _, judged := out[id]; !judged {
			return nil, fmt.Errorf("the agent did not judge criterion %q", id)
		}
	}
	return out, nil
}

// Apply replaces the verdicts of boxes by an agent's opinions, and marks them as
// such.
func Apply(verdicts []Verdict, said map[string]Judged) []Verdict {
	out := slices.Clone(verdicts)
	for i, v := range out {
		opinion, ok := said[v.ID]
		// Only boxes are replaced: commands have decided the others.
		if !ok || v.How != ByBox {
			continue
		}
		v.How, v.Holds, v.Unsure, v.Why = ByAgent, opinion.Opinion == Pass, opinion.Opinion == Skip, ""
		switch opinion.Opinion {
		case Fail:
			v.Why = "the judge says: " + opinion.Reason
		case Skip:
			v.Why = "the judge could not decide: " + opinion.Reason
		}
		out[i] = v
	}
	return out
}
