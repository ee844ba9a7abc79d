package io.github.lockboot.sample.sale;

/**
 * A piece was sold.
 *
 * @param millis when, in milliseconds since the sale began
 * @param stock the stock that the seller wrote
 */
record StockPoint(long millis, int stock) {
}
