package next

import (
	"fmt"
	"slices"
)

// Step is one step. At most one of Shell, ByHand and File is set. With Op, Shell comes before the operation, and ByHand
// is explained by it.
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

// On is the operation with these arguments by position. One that is empty is not known and left out.
func (o Op) On(args ...string) Step {
	s := Step{Op: o}
	for _, a := range args {
		if a != "" {
			s = s.Arg(a)
		}
	}
	return s
}

// Help is the help of an operation.
func (o Op) Help() Step { return o.On().Flag("help") }

// Help is the help of chant itself.
func Help() Step { return Op("").Help() }

// Shell is a command line of another program. The caller quotes what a shell would divide.
func Shell(format string, args ...any) Step { return Step{Shell: fmt.Sprintf(format, args...)} }

// ByHand is an instruction in words.
func ByHand(text string) Step { return Step{ByHand: text} }

// EditFile is a file to edit that no operation edits.
func EditFile(path string) Step { return Step{File: path} }

// Arg is the step with one more argument by position.
func (s Step) Arg(value string) Step { return s.with(Arg{Value: value}) }

// Flag is the step with a switch.
func (s Step) Flag(name string) Step { return s.with(Arg{Flag: name}) }

// Set is the step with a flag that has a value.
func (s Step) Set(name, value string) Step { return s.with(Arg{Flag: name, Value: value}) }

// with never changes the arguments of a step that was made from the same one.
func (s Step) with(a Arg) Step {
	s.Args = append(slices.Clip(s.Args), a)
	return s
}

// After is an operation that a command line of another program has to come before.
func (s Step) After(shell string) Step {
	s.Shell = shell
	return s
}

// See is an instruction in words that an operation explains.
func (s Step) See(op Step) Step {
	s.Op, s.Args = op.Op, op.Args
	return s
}

// IsZero reports whether the step is none.
func (s Step) IsZero() bool { return s.Equal(Step{}) }

// Equal reports whether two steps are the same.
func (s Step) Equal(o Step) bool {
	return s.Shell == o.Shell && s.ByHand == o.ByHand && s.File == o.File && s.Op == o.Op && slices.Equal(s.Args, o.Args)
}

// Or is the step, or the other one where it is none.
func (s Step) Or(other Step) Step {
	if s.IsZero() {
		return other
	}
	return s
}

// AsksHelp reports whether the step is to read the help of a command.
func (s Step) AsksHelp() bool { return slices.Contains(s.Args, Arg{Flag: "help"}) }
