package io.github.lockboot.benchmarks.cache;

import java.math.BigDecimal;
import java.util.List;

/**
 * The cached value: about 250 bytes of JSON.
 *
 * @param tags words for the search
 */
public record Product(String id, String name, String description, BigDecimal price, int stock, List<String> tags) {

	/** Create a product. */
	public static Product example(String id) {
		return new Product(id, "Desk lamp with a long arm",
				"Bends in three places, stands on its foot or is clamped to the desk, and gives a warm light.",
				new BigDecimal("79.90"), 100, List.of("lamp", "desk", "light", "office"));
	}

}
