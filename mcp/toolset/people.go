package toolset

import "context"

// People reaches the person at the client of a call.
type People interface {
	// Elicits reports whether the client can show its person a form.
	Elicits() bool
	// Elicit shows the person a question, and returns the answer; false if the person gave none. Errors: the client's,
	// the context's.
	Elicit(ctx context.Context, prompt string) (answer string, given bool, err error)
	// Waits reports whether the call is made as a task, whose client waits for what comes of it.
	Waits() bool
	// AwaitInput calls wait, and reports meanwhile that the task needs the person.
	AwaitInput(prompt string, wait func())
	// TakenBack reports whether ctx has ended because the client has cancelled the task.
	TakenBack(ctx context.Context) bool
}

type peopleKey struct{}

// WithPeople returns a context in which operations of tools reach the person at the client.
func WithPeople(ctx context.Context, people People) context.Context {
	return context.WithValue(ctx, peopleKey{}, people)
}

// PeopleOf reaches the person at the client of a call; nil where there is no client.
func PeopleOf(ctx context.Context) People {
	people, _ := ctx.Value(peopleKey{}).(People)
	return people
}
