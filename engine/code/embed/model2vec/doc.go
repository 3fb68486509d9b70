// Package model2vec reads models that were made by model2vec: a folder with tokenizer.json and model.safetensors. Like
// the model that is trained on code itself, such a model is a table of vectors, one for each part of a word, whose mean
// is the vector of a text.
//
// # Rules
//
//   - Nothing is downloaded: the folder must be there.
//   - The vocabularies of WordPiece and Unigram are known, with the normalizers and pre-tokenizers that models with them
//     have. With anything else a model is refused, because its vectors would be wrong.
//   - Broken files are errors, never a panic (FuzzOpen).
package model2vec
