package console

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"chant/engine"

	"github.com/spf13/cobra"
)

// maxNumber is the largest number that a flag takes unless it has a bound of its own.
const maxNumber = 1_000_000

// maxWidth is the largest number of runs side by side.
const maxWidth = 1000

// number is the value of a flag that takes a whole number within bounds.
type number struct {
	to        *int
	low, high int
	bare      *bool // set where the flag was given without a number, nil where it needs one
}

// bareNumber is the value with which the flag parser reports a flag without a number.
const bareNumber = "of the settings"

// AtLeast is a number from low up.
func AtLeast(low int, to *int) *number { return &number{to: to, low: low, high: maxNumber} }

// PageFlags adds the flags that choose a part of a list: --limit and --cursor. what says what is limited, such as "specs".
func PageFlags(c *cobra.Command, limit *int, cursor *engine.Cursor, what string) {
	c.Flags().VarP(AtLeast(0, limit), "limit", "n", "at most this many "+what)
	c.Flags().StringVar((*string)(cursor), "cursor", "", "continue a list: next_cursor of its JSON")
}

// Renamed has a command take the old name of a flag for one version more, with a warning.
func Renamed(c *cobra.Command, old, name string) {
	f := *c.Flags().Lookup(name)
	f.Name, f.Shorthand, f.Hidden, f.Deprecated = old, "", true, "use --"+name
	c.Flags().AddFlag(&f)
}

// Between is a number from low to high.
func Between(low, high int, to *int) *number { return &number{to: to, low: low, high: high} }

// named is a number for which a word can be given.
type named struct {
	*number
	word  string
	means int
}

// NumberOr is a number for which a word can be given that means another one.
func NumberOr(word string, means int, n *number) *named { return &named{n, word, means} }

// Set takes the value.
func (n *named) Set(text string) error {
	if text == n.word {
		*n.to = n.means
		return nil
	}
	if err := n.number.Set(text); err != nil {
		return fmt.Errorf("%w, or %s", err, n.word)
	}
	return nil
}

// share is the value of a flag that takes a number from 0 to 1.
type share struct{ to **float64 }

// Share is a number from 0 to 1; nil stays nil without the flag.
func Share(to **float64) share { return share{to} }

// String is the value as help shows it.
func (s share) String() string {
	if s.to == nil || *s.to == nil {
		return ""
	}
	return strconv.FormatFloat(**s.to, 'g', -1, 64)
}

// Set takes the value. The error names the range that is allowed.
func (s share) Set(text string) error {
	value, err := strconv.ParseFloat(text, 64)
	// NaN is neither below 0 nor above 1.
	if err != nil || !(value >= 0 && value <= 1) {
		return errors.New("use a number from 0 to 1")
	}
	*s.to = &value
	return nil
}

// Type names the value in help.
func (s share) Type() string { return "share" }

// String is the value as help shows it.
func (n *number) String() string {
	if n.to == nil {
		return "0"
	}
	return strconv.Itoa(*n.to)
}

// Set takes the value. The error names the range that is allowed.
func (n *number) Set(text string) error {
	if n.bare != nil {
		// As in the Rust chant, where 0 is as many as there is room for.
		*n.bare = text == bareNumber || text == "0"
		if *n.bare {
			return nil
		}
	}
	value, err := strconv.Atoi(text)
	if err != nil || value < n.low || value > n.high {
		return fmt.Errorf("use a whole number from %d to %d", n.low, n.high)
	}
	*n.to = value
	return nil
}

// Type names the value in help.
func (n *number) Type() string { return "int" }

// Width adds --parallel. bare reports that it was given without a number.
func Width(c *cobra.Command, to *int, about string) (bare *bool) {
	bare = new(bool)
	c.Flags().Var(&number{to: to, low: 1, high: maxWidth, bare: bare}, "parallel", about)
	c.Flags().Lookup("parallel").NoOptDefVal = bareNumber
	return bare
}

// joinWidth attaches the number behind a --parallel to it. A word that is not a number, or begins with a zero, is left
// alone: it is an ID.
func joinWidth(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		// What follows is not for the flag parser.
		if args[i] == "--" {
			return append(out, args[i:]...)
		}
		// The flag parser takes the value of a flag that can go without one only behind "=".
		if args[i] == "--parallel" && i+1 < len(args) && isWidth(args[i+1]) {
			i++
			out = append(out, "--parallel="+args[i])
			continue
		}
		out = append(out, args[i])
	}
	return out
}

// anyAddress is the address of a server with a bare --http.
const anyAddress = "127.0.0.1:0"

// joinAddress adds the address to an --http without one: behind it is another flag, or nothing.
func joinAddress(args []string) []string {
	var out []string
	for i, arg := range args {
		if arg == "--" {
			return append(out, args[i:]...)
		}
		if arg == "--http" && (i+1 == len(args) || strings.HasPrefix(args[i+1], "--")) {
			arg += "=" + anyAddress
		}
		out = append(out, arg)
	}
	return out
}

func isWidth(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	// The numbers of specs begin with a zero, so such a word is an id.
	return digits != "" && strings.Trim(digits, "0123456789") == "" && (digits == "0" || digits[0] != '0')
}

// FlagError describes the invalid flags of a command line, without the words of the
// parser's own libraries.
func FlagError(c *cobra.Command, err error) error {
	message := err.Error()
	var invalid interface {
		error
		GetValue() string
	}
	if errors.As(err, &invalid) {
		cause := errors.Unwrap(invalid)
		if _, ok := errors.AsType[*csv.ParseError](cause); ok {
			cause = errors.New("separate values by commas, without quotation marks")
		} else if errors.Is(cause, strconv.ErrSyntax) {
			// All that is left to the parser is true or false.
			cause = errors.New("use true or false")
		}
		flag, _, _ := strings.Cut(strings.TrimPrefix(message, fmt.Sprintf("invalid argument %q for ", invalid.GetValue())), " flag: ")
		message = fmt.Sprintf("invalid value %q for %s (%s)", invalid.GetValue(), strings.Trim(flag, `"`), cause)
	}
	// Not the flags of a command that does not exist are at fault, but its name.
	if rest := c.Flags().Args(); !c.Runnable() && len(rest) > 0 {
		message = unknownCommand(c, rest[0]).Error()
	} else if text := unknownFlag(c, message); text != "" {
		message = text
	}
	return &engine.Error{Code: engine.Usage, Message: message, Next: helpOf(c), Err: err}
}
