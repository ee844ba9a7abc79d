package io.github.lockboot.sample.sale;

import java.util.List;
import java.util.UUID;

import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import io.github.lockboot.sample.cluster.Fleet;
import io.github.lockboot.sample.cluster.Share;
import io.github.lockboot.sample.crowd.Crowd;
import io.github.lockboot.sample.crowd.Tally;
import io.github.lockboot.sample.web.Input;

/**
 * Runs a flash sale over all instances.
 */
@RestController
class FlashSaleController {

	private final Fleet fleet;

	private final Crowd crowd;

	private final Ledger ledger;

	private final Shop shop;

	FlashSaleController(Fleet fleet, Crowd crowd, Ledger ledger, Shop shop) {
		this.fleet = fleet;
		this.crowd = crowd;
		this.ledger = ledger;
		this.shop = shop;
	}

	@PostMapping("/flash-sale")
	SaleReport sale(@RequestParam(defaultValue = "500") int buyers, @RequestParam(defaultValue = "100") int stock,
			@RequestParam(defaultValue = "lock") SaleGuard guard) {
		Input.between("buyers", buyers, 1, 5000);
		Input.between("stock", stock, 0, 5000);
		String product = "product-" + UUID.randomUUID();
		this.ledger.open(product, stock);
		try {
			long start = System.currentTimeMillis();
			List<Share> shares = this.fleet.send("/flash-sale/share", product, guard, buyers);
			long duration = System.currentTimeMillis() - start;
			return SaleReport.of(guard, buyers, stock, duration, shares, this.ledger.purchases(product, start));
		}
		finally {
			this.ledger.close(product);
		}
	}

	@PostMapping("/flash-sale/share")
	Tally share(@RequestParam("run") String product, @RequestParam SaleGuard guard, @RequestParam int callers) {
		return this.crowd.send(callers, product, () -> switch (guard) {
			case NONE -> this.shop.buyUnlocked(product);
			case LOCK -> this.shop.buyLocked(product);
			case DATABASE -> this.shop.buyWithRowLock(product);
			case VERSION -> this.shop.buyWithVersion(product);
		});
	}

}
