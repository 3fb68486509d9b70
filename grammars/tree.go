package grammars

import "encoding/binary"

// Node is a node of a tree. Nodes are in preorder: the children of node i start at i+1, and the first node that is
// neither i nor within it is Next. Punctuation is left out, words such as "class" are not.
type Node struct {
	Start, End int32 // the bytes of the text, from Start to before End
	Next       int32
	Symbol     uint16 // an index of Tree.Symbols
	Field      uint16 // what it is to its parent, an index of Tree.Fields; 0 if nothing
	Named      bool   // by a rule of the grammar, and not a word that the grammar spells out
	Missing    bool   // the text lacks it
}

// ErrorSymbol is the symbol of what the grammar does not allow.
const ErrorSymbol = 0xffff

// Tree is what Parse returns. Its root is the node 0.
type Tree struct {
	Nodes   []Node
	Symbols []string // names of symbols
	Fields  []string // names of fields
}

// Kind returns the name of the symbol of a node, "ERROR" for what the grammar does not allow.
func (t *Tree) Kind(i int) string {
	s := t.Nodes[i].Symbol
	if int(s) >= len(t.Symbols) {
		return "ERROR"
	}
	return t.Symbols[s]
}

// nodeSize is how many bytes the runtime uses for a node.
const nodeSize = 16

// readNodes reads nodes from the memory of a parse.
func readNodes(data []byte, count int) []Node {
	nodes := make([]Node, count)
	for i := range nodes {
		b := data[i*nodeSize : (i+1)*nodeSize]
		flags := binary.LittleEndian.Uint32(b[12:])
		nodes[i] = Node{
			Start: int32(binary.LittleEndian.Uint32(b)), End: int32(binary.LittleEndian.Uint32(b[4:])),
			Symbol: binary.LittleEndian.Uint16(b[8:]), Field: binary.LittleEndian.Uint16(b[10:]),
			Next: int32(flags & (1<<28 - 1)), Named: flags&(1<<28) != 0, Missing: flags&(1<<30) != 0,
		}
	}
	return nodes
}
