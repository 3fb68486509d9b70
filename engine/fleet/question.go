package fleet

import "time"

// Question is a question of an agent to a person, in the claim on its spec: one that is open, or whose answer no agent
// has received yet.
type Question struct {
	Number  int       `json:"number"`
	Prompt  string    `json:"prompt"`
	By      string    `json:"by,omitempty"` // the agent that asks
	Attempt int       `json:"attempt,omitempty"`
	Asked   time.Time `json:"asked,omitzero"`
	Answer  string    `json:"answer,omitempty"` // "" = it is open
}

// OpenQuestions returns the questions that wait for a person.
func (c Claim) OpenQuestions() []Question {
	var open []Question
	for _, q := range c.Questions {
		if q.Answer == "" {
			open = append(open, q)
		}
	}
	return open
}
