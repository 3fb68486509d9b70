package shape

import "go.yaml.in/yaml/v3"

// maxCopies bounds the nodes that are copied for aliases.
const maxCopies = 10_000

// expand replaces the aliases below a node by copies of their targets, so that what is wrong in one place is not
// removed from another, where it may be right. An alias within its own anchor stays, and so do those beyond maxCopies.
func expand(node *yaml.Node) {
	e := expansion{open: map[*yaml.Node]bool{}, left: maxCopies}
	e.expandContent(node)
}

// expansion is the state of expand.
type expansion struct {
	open map[*yaml.Node]bool // the anchors around the present node
	left int                 // nodes that may still be copied
}

func (e *expansion) expandContent(node *yaml.Node) {
	// An anchor within itself would be followed without end.
	if e.open[node] {
		return
	}
	e.open[node] = true
	for i, child := range node.Content {
		anchor := child.Alias
		if anchor == nil {
			e.expandContent(child)
			continue
		}
		// Aliases of aliases can multiply to any size, so the copies are counted before they are made.
		size := sizeOf(anchor)
		if e.open[anchor] || size > e.left {
			continue
		}
		e.left -= size
		node.Content[i] = copyOf(anchor)
		e.open[anchor] = true
		e.expandContent(node.Content[i])
		e.open[anchor] = false
	}
	e.open[node] = false
}

// sizeOf counts the nodes of a tree.
func sizeOf(node *yaml.Node) int {
	n := 1
	for _, child := range node.Content {
		n += sizeOf(child)
	}
	return n
}

// copyOf copies a tree, without its anchor.
func copyOf(node *yaml.Node) *yaml.Node {
	out := *node
	out.Anchor, out.Content = "", nil
	for _, child := range node.Content {
		out.Content = append(out.Content, copyOf(child))
	}
	return &out
}
