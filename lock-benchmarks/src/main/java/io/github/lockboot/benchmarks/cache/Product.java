package io.github.lockboot.benchmarks.cache;

import java.math.BigDecimal;
import java.util.List;

/**
 * The cached value: about 250 bytes of JSON.
 *
 * @param id its id
 * @param name its name
 * @param description its description
 * @param price its price
 * @param stock how many there are
 * @param tags words by which it is found
 */
public record Product(String id, String name, String description, BigDecimal price, int stock, List<String> tags) {

	/**
	 * Make one.
	 * @param id its id
	 * @return the product
	 */
	public static Product example(String id) {
		return new Product(id, "Desk lamp with a long arm",
				"Bends in three places, stands on its foot or is clamped to the desk, and gives a warm light.",
				new BigDecimal("79.90"), 100, List.of("lamp", "desk", "light", "office"));
	}

}
