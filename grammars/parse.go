package grammars

import (
	"context"
	"errors"
	"fmt"
)

// ErrTooHard is returned for a text that is too long, or whose parse needs too much.
var ErrTooHard = errors.New("the text is too hard to parse")

// Limits of a parse.
const (
	MostBytes = 4 << 20   // of a text
	mostNodes = 2_000_000 // of a tree
	mostDepth = 5_000     // of a tree
	baseSteps = 5_000     // that a parse may take, and one more
	bytesStep = 16        // for as many bytes; a step is a hundred actions of the parser
	mostSteps = baseSteps + MostBytes/bytesStep
)

// host is what the runtime calls.
type host struct {
	ctx  context.Context
	left int // steps
}

// stop is the panic by which a parse ends early.
type stop struct{ err error }

// Xtick is called at each step. It ends the parse when the steps are used up or the context is done.
func (h *host) Xtick() {
	h.left--
	if h.left < 0 {
		panic(stop{ErrTooHard})
	}
	if h.ctx != nil && h.left%64 == 0 && h.ctx.Err() != nil {
		panic(stop{h.ctx.Err()})
	}
}

// Parse parses a text. Faults in the text do not fail: the tree then has nodes for what is wrong. The error is ErrTooHard
// or that of the context.
func Parse(ctx context.Context, l Language, text []byte) (tree *Tree, err error) {
	if l >= count {
		return nil, fmt.Errorf("unknown language %d", l)
	}
	if len(text) > MostBytes {
		return nil, fmt.Errorf("%d bytes, at most %d: %w", len(text), MostBytes, ErrTooHard)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in, _ := grammars[l].idle.Get().(*instance)
	if in == nil {
		if in, err = newInstance(l); err != nil {
			return nil, err
		}
	}
	tree, err = in.parse(ctx, text)
	if err != nil {
		return nil, err
	}
	tree.Symbols, tree.Fields = grammars[l].symbols, grammars[l].fields
	if len(*in.module.Slice()) <= mostKept {
		grammars[l].idle.Put(in)
	}
	return tree, nil
}

// mostKept is how large the memory of a parse may be that is used again.
const mostKept = 32 << 20

// parse parses a text. After an error the instance cannot be used any more.
func (in *instance) parse(ctx context.Context, text []byte) (tree *Tree, err error) {
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case stop:
			err = fault.err
		default: // a trap: memory is used up, an address is wrong
			err = fmt.Errorf("%w: %v", ErrTooHard, fault)
		}
	}()
	in.host.ctx, in.host.left = ctx, baseSteps+len(text)/bytesStep
	at := in.module.Xprepare(int32(len(text)))
	copy((*in.module.Slice())[at:], text)
	n := in.module.Xparse(mostNodes, mostDepth)
	if n < 0 {
		return nil, fmt.Errorf("too many nodes or levels: %w", ErrTooHard)
	}
	found := int(in.module.Xfound())
	nodes := readNodes((*in.module.Slice())[found:found+int(n)*nodeSize], int(n))
	in.host.ctx = nil
	return &Tree{Nodes: nodes}, nil
}
