package io.github.lockboot.sample.sale;

/**
 * The sale of one piece.
 *
 * @param millis the time in milliseconds since the start of the sale
 * @param stock the stock that the seller wrote
 * @param instance URL of the instance that sold the piece
 */
record Purchase(long millis, int stock, String instance) {
}
