package split

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"chant/engine/spec"
	"chant/engine/spec/schema"
)

// Proposal is what an agent proposes.
type Proposal struct {
	Members []Member `json:"members"`

	schemaProblems map[int][]string // why members do not fit the schema, by index
}

// Member is one part of a proposal.
type Member struct {
	Title       string      `json:"title"`
	Description string      `json:"description"`
	Criteria    []Criterion `json:"criteria"`
	TargetFiles []string    `json:"target_files"`
	DependsOn   []Reference `json:"depends_on"`
}

// Criterion is one of a member's criteria, with the command that decides it.
type Criterion struct {
	Text    string `json:"text"`
	Command string `json:"command"` // "" for a criterion that is decided by its box
}

// Reference names another member by its number, from 1, or by its title.
type Reference struct {
	Number int    // 0 for one by title
	Title  string // "" for one by number
}

// UnmarshalJSON reads a number or a text. A whole number may be written as 2.0 or 2e0, as
// in JSON Schema. A number that is far too large for a member is kept as text.
func (r *Reference) UnmarshalJSON(src []byte) error {
	var number float64
	switch err := json.Unmarshal(src, &number); {
	case err == nil && number == math.Trunc(number) && math.Abs(number) < 1e6:
		r.Number = int(number)
	case len(src) > 0 && src[0] == '"':
		return json.Unmarshal(src, &r.Title)
	default:
		r.Title = string(src)
	}
	return nil
}

// maxMembers is the largest number of members and criteria that a proposal may have.
const maxMembers = 20

// Schema is the form of a proposal, as JSON Schema.
const Schema = `{
  "type": "object", "required": ["members"], "additionalProperties": false,
  "properties": {"members": {"type": "array", "minItems": 2, "maxItems": 20, "items": ` + memberSchema + `}}
}`

const memberSchema = `{
    "type": "object", "required": ["title", "description", "criteria", "depends_on"], "additionalProperties": false,
    "properties": {
      "title": {"type": "string", "minLength": 3, "maxLength": 200},
      "description": {"type": "string", "minLength": 1, "maxLength": 20000},
      "criteria": {"type": "array", "minItems": 1, "maxItems": 20, "items": {
        "type": "object", "required": ["text"], "additionalProperties": false,
        "properties": {
          "text": {"type": "string", "minLength": 1, "maxLength": 1000},
          "command": {"type": "string", "maxLength": 2000}
        }
      }},
      "target_files": {"type": "array", "maxItems": 100, "items": {"type": "string", "minLength": 1, "maxLength": 500}},
      "depends_on": {"type": "array", "items": {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "minLength": 1}]}}
    }
  }`

// someSchema is the form of corrections, without what each member must be.
const someSchema = `{
  "type": "object", "required": ["members"], "additionalProperties": false,
  "properties": {"members": {"type": "array", "minItems": 1, "maxItems": 20}}
}`

// AnswerInstructions returns the part of a prompt that says how to answer, which follows the question.
func AnswerInstructions() string {
	return `
## Your answer

End with one JSON value in a fence marked json that fits this schema. A member in ` + "`depends_on`" + ` is named by its number in the list, from 1, or by its title.

` + spec.Fenced("json", Schema) + "\n"
}

// CorrectionRequest returns the part of a prompt that says what was wrong with an answer, which follows
// AnswerInstructions.
func CorrectionRequest(answer string, problems []string) string {
	return correction(answer, problems, "Correct that and answer again, in full.")
}

// CorrectionRequest is that for a proposal of which only some members are wrong.
func (p Proposal) CorrectionRequest(answer string, problems []string) string {
	return correction(answer, problems, "The other members are kept as they are. Answer with the corrected ones alone, in their order; numbers in `depends_on` stay those of the list below.")
}

func correction(answer string, problems []string, wanted string) string {
	// The end of a long answer has the JSON.
	if runes := []rune(answer); len(runes) > answerLimit {
		answer = "…" + string(runes[len(runes)-answerLimit:])
	}
	return "\n## Your last answer\n\nIt could not be used:\n\n- " + strings.Join(problems, "\n- ") +
		"\n\n" + wanted + " This is what you answered:\n\n" + spec.Fenced("", answer) + "\n"
}

// answerLimit limits the runes of an answer that are repeated.
const answerLimit = 20_000

// Read finds a proposal in an agent's final text, as JSON or as a section for each member, or corrections of members.
// Problems say why there is none; what is wrong with single members is left to Faults.
func Read(text string) (Proposal, []string) {
	p, problems := readJSON(text)
	if len(problems) == 0 {
		return p, nil
	}
	// Examples in sections may be JSON too.
	if members := readSections(text); len(members) > 0 {
		return Proposal{Members: members}, sectionsProblem(members)
	}
	return p, problems
}

func readJSON(text string) (Proposal, []string) {
	src, ok := schema.Find(text)
	if !ok {
		return Proposal{}, []string{whyUnreadable(text, "it holds no JSON")}
	}
	// A member that does not fit is reported by itself, so that the others can be kept.
	if problems := check(someSchema, src); len(problems) > 0 {
		// Only a piece of the answer was read.
		if why := whyUnreadable(text, ""); why != "" {
			problems = []string{why}
		}
		return Proposal{}, problems
	}
	var raw struct{ Members []json.RawMessage }
	if err := json.Unmarshal(src, &raw); err != nil {
		return Proposal{}, []string{err.Error()}
	}
	p := Proposal{Members: make([]Member, len(raw.Members)), schemaProblems: map[int][]string{}}
	for i, src := range raw.Members {
		problems := check(memberSchema, src)
		// One that does not fit is still known by its title.
		if err := json.Unmarshal(src, &p.Members[i]); err != nil && len(problems) == 0 {
			problems = []string{err.Error()}
		}
		for _, why := range problems {
			// The problem concerns the member itself.
			if !strings.HasPrefix(why, "/") {
				why = ": " + why
			}
			p.schemaProblems[i] = append(p.schemaProblems[i], fmt.Sprintf("/members/%d%s", i, why))
		}
	}
	return p, nil
}

// check returns what is wrong with JSON by a schema, which is a constant.
func check(of string, src []byte) []string {
	form, err := schema.Compile("split", []byte(of))
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	for _, p := range form.Check(src) {
		out = append(out, p.String())
	}
	return out
}

// whyUnreadable returns why the JSON of an answer cannot be read, or otherwise if it can be read.
func whyUnreadable(text, otherwise string) string {
	if why := schema.Broken(text); why != "" {
		return "no valid JSON: " + why
	}
	return otherwise
}
