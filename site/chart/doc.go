// Package chart draws bars of months as SVG. It is pure: data in, text out.
//
// # Rules
//
//   - A drawing has no styles of its own: the page's style sheet colours its classes, in the light and in the dark.
//   - Texts are escaped. The same data gives the same drawing.
package chart
