package io.github.lockboot.sample.sale;

/**
 * The sale of one piece.
 *
 * @param millis its time in milliseconds since the begin of the sale
 * @param stock the stock that the seller wrote
 * @param instance URL of the instance that sold it
 */
record Purchase(long millis, int stock, String instance) {
}
