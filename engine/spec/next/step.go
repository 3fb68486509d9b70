package next

import (
	"fmt"
	"slices"
)

// Step is one step. At most one of Shell, ByHand and File is set. With Op, Shell is to be run before the operation, and
// the operation explains ByHand.
type Step struct {
	Shell  string // a command line of another program, such as git
	ByHand string // an instruction in words
	File   string // a file to edit
	Op     Op     // an operation of chant, "" with Args for chant itself
	Args   []Arg  // of the operation, in order
}

// Arg is one argument of an operation.
type Arg struct {
	Flag  string // its name without dashes, "" for an argument by position
	Value string // "" for a flag that is a switch
}

// On returns the operation with these arguments by position. Empty ones are unknown and left out.
func (o Op) On(args ...string) Step {
	s := Step{Op: o}
	for _, a := range args {
		// An argument that is not known yet is left for the reader to add.
		if a != "" {
			s = s.Arg(a)
		}
	}
	return s
}

// Help returns the step that shows the help of an operation.
func (o Op) Help() Step { return o.On().Flag("help") }

// Help returns the step that shows the help of chant itself.
func Help() Step { return Op("").Help() }

// Shell returns a command line of another program. The caller quotes words that a shell would divide.
func Shell(format string, args ...any) Step { return Step{Shell: fmt.Sprintf(format, args...)} }

// ByHand returns an instruction in words.
func ByHand(text string) Step { return Step{ByHand: text} }

// EditFile returns a file to edit for which there is no operation.
func EditFile(path string) Step { return Step{File: path} }

// Arg returns the step with one more argument by position.
func (s Step) Arg(value string) Step { return s.withArg(Arg{Value: value}) }

// Flag returns the step with a switch.
func (s Step) Flag(name string) Step { return s.withArg(Arg{Flag: name}) }

// Set returns the step with a flag that has a value.
func (s Step) Set(name, value string) Step { return s.withArg(Arg{Flag: name, Value: value}) }

// withArg returns the step with one more argument.
func (s Step) withArg(a Arg) Step {
	// Without spare capacity, appending copies, so steps made from the same step do not share arguments.
	s.Args = append(slices.Clip(s.Args), a)
	return s
}

// After returns the step with a command line of another program that has to run before the operation.
func (s Step) After(shell string) Step {
	s.Shell = shell
	return s
}

// See returns an instruction in words with the operation that explains it.
func (s Step) See(op Step) Step {
	s.Op, s.Args = op.Op, op.Args
	return s
}

// IsZero reports whether there is no step.
func (s Step) IsZero() bool { return s.Equal(Step{}) }

// Equal reports whether two steps are the same.
func (s Step) Equal(o Step) bool {
	return s.Shell == o.Shell && s.ByHand == o.ByHand && s.File == o.File && s.Op == o.Op && slices.Equal(s.Args, o.Args)
}

// Or returns the step, or the other one if the step is zero.
func (s Step) Or(other Step) Step {
	if s.IsZero() {
		return other
	}
	return s
}

// Advice is a next step with the reason for it, as results have it. Errors have a hint instead, which is a Step: their
// message is the reason.
type Advice struct {
	Command Step   `json:"command"`
	Why     string `json:"why"`
}

// Because returns the step as advice, with its reason; the zero Advice for the zero Step.
func (s Step) Because(format string, args ...any) Advice {
	if s.IsZero() {
		return Advice{}
	}
	return Advice{Command: s, Why: fmt.Sprintf(format, args...)}
}

// IsZero reports whether there is no next step.
func (a Advice) IsZero() bool { return a.Command.IsZero() }

// String returns the step as a person would type it, "" for none.
func (a Advice) String() string { return a.Command.String() }

// AsksHelp reports whether the step is to read the help of a command.
func (s Step) AsksHelp() bool { return slices.Contains(s.Args, Arg{Flag: "help"}) }
